/** The URL as the WHATWG parser writes it; null unless it is http or https. */
export function httpUrl(text: string, base?: string): URL | null {
  let url: URL;
  try {
    url = new URL(text.trim(), base);
  } catch {
    return null;
  }
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

export function withoutHash(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? url : url.slice(0, at);
}

/** Sorts a URL's query parameters, so that their order makes no second page. */
export function sortedQuery(url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return url;
  const hashAt = url.indexOf('#', start);
  const end = hashAt < 0 ? url.length : hashAt;
  const query = url.slice(start + 1, end);
  if (!query.includes('&')) return url;
  return url.slice(0, start + 1) + query.split('&').sort().join('&') + url.slice(end);
}

/** The key by which two URLs are the same page. Query order does not count; the hash counts only with `allowHash`. */
export function seenKey(url: string, allowHash: boolean): string {
  return sortedQuery(allowHash ? url : withoutHash(url));
}

/** Removes user and password, which are never part of a recorded URL. */
export function withoutCredentials(url: string): string {
  if (!url.includes('@')) return url;
  const parsed = httpUrl(url);
  if (!parsed || (!parsed.username && !parsed.password)) return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

export function hostOf(url: string): string {
  return httpUrl(url)?.host ?? '';
}

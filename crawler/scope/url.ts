/** The URL as the WHATWG parser writes it, when it is http or https; null otherwise. */
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

/** The URL with its query parameters sorted, so that their order does not make a second page of the same one. */
export function sortedQuery(url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return url;
  const hashAt = url.indexOf('#', start);
  const end = hashAt < 0 ? url.length : hashAt;
  const query = url.slice(start + 1, end);
  if (!query.includes('&')) return url;
  return url.slice(0, start + 1) + query.split('&').sort().join('&') + url.slice(end);
}

/** What makes two URLs the same page: query order does not, and the hash only where `allowHash` is set. */
export function seenKey(url: string, allowHash: boolean): string {
  return sortedQuery(allowHash ? url : withoutHash(url));
}

/** User and password are never part of a recorded URL. */
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

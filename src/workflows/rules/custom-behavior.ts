const GIT = 'git+';

export interface CustomBehavior {
  readonly isGit: boolean;
  /** The address without `git+` and the query. */
  readonly url: string;
  /** The value of `branch` in the query of a git address, or empty. */
  readonly branch: string;
}

/**
 * Reads the address of a custom behavior. Contract: crawling §4.4.
 * @returns null when the address lacks a scheme or a host
 */
export function parseCustomBehavior(address: string): CustomBehavior | null {
  const isGit = address.startsWith(GIT);
  const plain = isGit ? address.slice(GIT.length) : address;
  const [url = '', query = ''] = splitAt(plain, '?');
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(url)) return null;
  return { isGit, url, branch: isGit ? (new URLSearchParams(query).get('branch') ?? '') : '' };
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

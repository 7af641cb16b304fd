import type { Draft, ScopeType } from './draft';
import { seedsOf } from './body';

/** The verdict on an address, and what decided it. */
export interface Verdict {
  readonly isCrawled: boolean;
  readonly rule:
    'noUrl' | 'scheme' | 'seed' | 'excluded' | 'ownExcluded' | 'include' | 'scope' | 'extra' | 'outside' | 'noSeeds';
  /** The pattern or the start address that decided. */
  readonly by?: string;
  readonly scopeType?: ScopeType;
}

const httpUrl = (text: string): URL | null => {
  try {
    const url = new URL(text.trim());
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
  } catch {
    return null;
  }
};
const withoutHash = (url: string): string => url.replace(/#.*$/s, '');
/** The order of the parts of a query makes no second page. */
function sortedQuery(url: string): string {
  const [, before = '', query, hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  return query === undefined ? url : `${before}?${query.split('&').sort().join('&')}${hash}`;
}
const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const isMatch = (pattern: string, url: string): boolean => {
  try {
    const regex = new RegExp(pattern);
    return regex.test(url) || regex.test(sortedQuery(url));
  } catch {
    return false;
  }
};
const listOf = (value: string | readonly string[] | null | undefined): readonly string[] =>
  value == null || value === '' ? [] : typeof value === 'string' ? [value] : value;

/** The crawler's rule of a scope, of one start address (crawler/scope). */
function ownRule(type: ScopeType, url: URL): RegExp | null {
  const host = escape(url.host.replace(/^www\d*\./, ''));
  const origin = `^https?://(?:www\\d*\\.)?${host}`;
  switch (type) {
    case 'page':
    case 'custom':
      return null;
    case 'page-spa':
      return new RegExp(`${origin}${escape(sortedQuery(withoutHash(url.href)).slice(url.origin.length))}#.+`);
    case 'prefix':
      return new RegExp(`${origin}${escape(url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1))}`);
    case 'host':
      return new RegExp(`${origin}/`);
    case 'domain':
      return new RegExp(`^https?://(?:[^/@]+\\.)?${host}/`);
    case 'any':
      return /^https?:/;
  }
}

/** Judges an address as the crawler would when a page in scope links to it. Limits and depth are not looked at. */
export function judge(draft: Draft, address: string): Verdict {
  const url = httpUrl(address);
  if (!url) return { isCrawled: false, rule: address.includes(':') ? 'scheme' : 'noUrl' };
  const seeds = seedsOf(draft).filter(({ url: seed }) => httpUrl(seed));
  if (seeds.length === 0) return { isCrawled: false, rule: 'noSeeds' };
  const verdicts = seeds.map((seed) => judgeFor(draft, seed, url.href));
  return verdicts.find(({ isCrawled }) => isCrawled) ?? verdicts[0] ?? { isCrawled: false, rule: 'outside' };
}

type SeedOf = ReturnType<typeof seedsOf>[number];
function judgeFor(draft: Draft, seed: SeedOf, href: string): Verdict {
  const start = new URL(seed.url);
  const scopeType = seed.scopeType ?? draft.scopeType;
  const isHashKept = seed.allowHash ?? (scopeType === 'page' || scopeType === 'page-spa');
  const key = (url: string): string => sortedQuery(isHashKept ? url : withoutHash(url));
  const url = isHashKept ? href : withoutHash(href);
  const by = seed.url;
  if (key(href) === key(start.href)) return { isCrawled: true, rule: 'seed', by };
  const excluded = draft.exclude.find((pattern) => pattern !== '' && isMatch(pattern, url));
  if (excluded !== undefined) return { isCrawled: false, rule: 'excluded', by: excluded };
  const ownExcluded = listOf(seed.exclude).find((pattern) => isMatch(pattern, url));
  if (ownExcluded !== undefined) return { isCrawled: false, rule: 'ownExcluded', by: ownExcluded };
  if (ownRule(scopeType, start)?.test(sortedQuery(url))) return { isCrawled: true, rule: 'scope', by, scopeType };
  const include = listOf(seed.include ?? (draft.scopeType === 'custom' ? draft.include : []));
  const included = include.find((pattern) => pattern !== '' && isMatch(pattern, url));
  if (included !== undefined) return { isCrawled: true, rule: 'include', by: included };
  if ((seed.extraHops ?? (draft.extraHops || 0)) > 0) return { isCrawled: true, rule: 'extra', by };
  return { isCrawled: false, rule: 'outside', by, scopeType };
}

import type { WorkflowConfig, SeedScopeType, SeedConfig } from '../protocol.js';
import { asList, compilePattern, InvalidPattern, type Pattern } from '../../formats/pattern/pattern.js';
import { httpUrl, seenKey, sortedQuery, withoutHash } from './url.js';

/** The scope rules' verdict on a link. `hops`: hops out of scope used up so far, including this link. */
export type LinkVerdict =
  { inScope: true; hops: number } | { inScope: false; reason: 'scheme' | 'depth' | 'excluded' | 'scope' };

export class InvalidSeed extends Error {}

/** The scope of one seed. Design crawler.md §9. */
export class SeedScope {
  private constructor(
    readonly url: string,
    readonly allowHash: boolean,
    readonly maxDepth: number,
    readonly maxHops: number,
    readonly sitemap: string | boolean,
    private readonly own: RegExp[],
    private readonly lists: { include: Pattern[]; exclude: Pattern[] },
  ) {}

  /** @throws InvalidSeed, InvalidPattern */
  static of(
    seed: SeedConfig,
    config: WorkflowConfig,
    compile: (source: string) => Pattern = compilePattern,
  ): SeedScope {
    const url = httpUrl(seed.url);
    if (!url) throw new InvalidSeed(`seed is no http or https URL: ${seed.url}`);
    const include = asList(seed.include ?? config.include);
    const exclude = asList(seed.exclude);
    const type = seed.scopeType ?? config.scopeType ?? (include.length > 0 ? 'custom' : 'prefix');
    const hops = nonNegative(seed.extraHops ?? config.extraHops);
    const depth = seed.depth ?? config.depth ?? -1;
    return new SeedScope(
      url.href,
      seed.allowHash ?? (type === 'page' || type === 'page-spa'),
      type === 'page' ? hops : depth < 0 ? Infinity : depth,
      hops,
      seed.sitemap ?? config.useSitemap ?? false,
      ownRules(type, url),
      { include: include.map((source) => compile(source)), exclude: exclude.map((source) => compile(source)) },
    );
  }

  /** The URL as it is queued, without its hash unless hashes make pages. */
  queueForm(href: string): string {
    return this.allowHash ? href : withoutHash(href);
  }

  judge(href: string, depth: number, hops: number): LinkVerdict {
    if (!httpUrl(href)) return { inScope: false, reason: 'scheme' };
    const url = this.queueForm(href);
    if (seenKey(url, this.allowHash) === seenKey(this.url, this.allowHash)) return { inScope: true, hops: 0 };
    if (depth > this.maxDepth) return { inScope: false, reason: 'depth' };
    if (matches(this.lists.exclude, url)) return { inScope: false, reason: 'excluded' };
    const sorted = sortedQuery(url);
    if (this.own.some((rule) => rule.test(sorted)) || matches(this.lists.include, url)) return { inScope: true, hops };
    if (hops < this.maxHops) return { inScope: true, hops: hops + 1 };
    return { inScope: false, reason: 'scope' };
  }
}

/** The exclusions of the whole crawl. They may change while it runs. */
export class ExcludedUrls {
  private patterns: Pattern[];

  constructor(
    sources: readonly string[],
    private readonly onDisabled?: (source: string) => void,
  ) {
    this.patterns = sources.map((source) => compilePattern(source, onDisabled));
  }

  /** Returns the new pattern, or null when it exists already. @throws InvalidPattern */
  add(source: string): Pattern | null {
    if (source === '' || this.patterns.some((pattern) => pattern.source === source)) return null;
    const pattern = compilePattern(source, this.onDisabled);
    this.patterns.push(pattern);
    return pattern;
  }

  remove(source: string): void {
    this.patterns = this.patterns.filter((pattern) => pattern.source !== source);
  }

  excludes(url: string): boolean {
    return matches(this.patterns, url);
  }
}

/** Tries user patterns on the URL as found and with its query sorted, because authors write either. */
export function matches(patterns: readonly Pattern[], url: string): boolean {
  if (patterns.length === 0) return false;
  const sorted = sortedQuery(url);
  return patterns.some((pattern) => pattern.test(url) || (sorted !== url && pattern.test(sorted)));
}

export { InvalidPattern };

function ownRules(type: SeedScopeType, url: URL): RegExp[] {
  const host = escape(url.host.replace(/^www\d*\./, ''));
  const origin = `^https?://(?:www\\d*\\.)?${host}`;
  switch (type) {
    case 'page':
    case 'custom':
      return [];
    case 'page-spa':
      return [new RegExp(`${origin}${escape(sortedQuery(withoutHash(url.href)).slice(url.origin.length))}#.+`)];
    case 'prefix':
      return [new RegExp(`${origin}${escape(url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1))}`)];
    case 'host':
      return [new RegExp(`${origin}/`)];
    case 'domain':
      return [new RegExp(`^https?://(?:[^/@]+\\.)?${host}/`)];
    case 'any':
      return [/^https?:/];
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

function nonNegative(value: number | null | undefined): number {
  return value && value > 0 ? value : 0;
}

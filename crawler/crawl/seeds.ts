import { join } from 'node:path';
import { readLines } from '../base/append-log.js';
import { WORK_FILES, type CrawlModeConfig, type SeedConfig } from '../protocol.js';
import { compilePattern, type Pattern } from '../../formats/pattern/pattern.js';
import { SeedScope, type LinkVerdict } from '../scope/scope.js';
import { httpUrl } from '../scope/url.js';

/** The seeds of a crawl from the config and the seed file, with the scope of each. */
export class Seeds {
  private readonly scopes = new Map<number, SeedScope>();
  private readonly redirected = new Map<number, SeedScope[]>();
  private readonly patterns = new Map<string, Pattern>();

  private constructor(
    private readonly list: readonly SeedConfig[],
    private readonly config: CrawlModeConfig,
    private readonly onDisabled: (source: string) => void,
  ) {}

  /** @throws InvalidSeed, InvalidPattern when the config can't be used. */
  static async load(config: CrawlModeConfig, onDisabled: (source: string) => void): Promise<Seeds> {
    const list: SeedConfig[] = [...(config.config.seeds ?? [])];
    if (config.hasSeedFile) {
      for await (const line of readLines(join(config.dir, WORK_FILES.seedFile))) {
        const url = httpUrl(line);
        if (url) list.push({ url: url.href });
      }
    }
    const seeds = new Seeds(list, config, onDisabled);
    for (let id = 0; id < Math.min(list.length, config.config.seeds?.length ?? 0); id++) seeds.scope(id);
    return seeds;
  }

  get count(): number {
    return this.list.length;
  }

  scope(seedId: number): SeedScope {
    let scope = this.scopes.get(seedId);
    if (!scope) {
      const seed = this.list[seedId];
      if (!seed) throw new Error(`no seed ${seedId}`);
      scope = SeedScope.of(seed, this.config.config, (source) => this.compile(source));
      this.scopes.set(seedId, scope);
    }
    return scope;
  }

  /** Adds the scope of the site to which a seed was redirected. */
  addRedirect(seedId: number, url: string): void {
    const seed = this.list[seedId];
    if (!seed || !httpUrl(url)) return;
    const scope = SeedScope.of({ ...seed, url }, this.config.config, (source) => this.compile(source));
    this.redirected.set(seedId, [...(this.redirected.get(seedId) ?? []), scope]);
  }

  judge(seedId: number, url: string, depth: number, hops: number): LinkVerdict {
    const verdict = this.scope(seedId).judge(url, depth, hops);
    if (verdict.inScope || verdict.reason !== 'scope') return verdict;
    for (const scope of this.redirected.get(seedId) ?? []) {
      const other = scope.judge(url, depth, hops);
      if (other.inScope) return other;
    }
    return verdict;
  }

  private compile(source: string): Pattern {
    let pattern = this.patterns.get(source);
    if (!pattern) {
      pattern = compilePattern(source, this.onDisabled);
      this.patterns.set(source, pattern);
    }
    return pattern;
  }
}

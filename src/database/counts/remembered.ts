import { seconds } from '../../common/units/durations.js';

/** What is counted over fewer documents is found anew each time: that costs a few milliseconds at most. */
export const LARGE = 20_000;
const KEPT_MS = seconds(10);

interface Bounds<T> {
  /** What is not large is not kept. */
  readonly isLarge: (found: T) => boolean;
  /** Most that are kept; the oldest are forgotten. */
  readonly mostKept: number;
}

/**
 * What took long to find, for a few seconds: counting 100,000 entries of an index takes longer than everything else
 * that an answer needs, and who turns the pages of a list asks for the same again and again. ADR 0049.
 */
export class Remembered<T> {
  /** The oldest first. */
  private readonly kept = new Map<string, { readonly found: T; readonly until: number }>();

  constructor(
    private readonly bounds: Bounds<T>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async of(key: string, find: () => Promise<T>): Promise<T> {
    this.forget();
    const known = this.kept.get(key);
    if (known) return known.found;
    const found = await find();
    if (this.bounds.isLarge(found)) this.keep(key, found);
    return found;
  }

  private keep(key: string, found: T): void {
    this.kept.delete(key);
    this.kept.set(key, { found, until: this.now() + KEPT_MS });
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.bounds.mostKept && oldest !== undefined) this.kept.delete(oldest);
    // Large answers are not kept in memory until somebody asks again.
    setTimeout(() => this.forget(), KEPT_MS + 1).unref();
  }

  private forget(): void {
    for (const [key, { until }] of this.kept) {
      if (until > this.now()) return;
      this.kept.delete(key);
    }
  }
}

/** Remembers numbers of documents. */
export const rememberedCounts = (now?: () => number): Remembered<number> =>
  new Remembered({ isLarge: (count) => count >= LARGE, mostKept: 1_000 }, now);

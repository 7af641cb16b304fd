import { seconds } from '../common/units/durations.js';

/** A smaller count is made anew each time: it costs a few milliseconds at most. */
const LARGE = 20_000;
const KEPT_MS = seconds(10);
const MOST_KEPT = 1_000;

/**
 * Large numbers of matches, for a few seconds: counting 100,000 entries of an index takes longer than everything else
 * that a page of a list needs, and who turns its pages asks for the same number again and again.
 */
export class RememberedCounts {
  /** The oldest first. */
  private readonly counts = new Map<string, { count: number; until: number }>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  async of(key: string, count: () => Promise<number>): Promise<number> {
    const known = this.counts.get(key);
    if (known && known.until > this.now()) return known.count;
    const counted = await count();
    this.counts.delete(key);
    if (counted >= LARGE) this.keep(key, counted);
    return counted;
  }

  private keep(key: string, count: number): void {
    this.counts.set(key, { count, until: this.now() + KEPT_MS });
    const [oldest] = this.counts.keys();
    if (this.counts.size > MOST_KEPT && oldest !== undefined) this.counts.delete(oldest);
  }
}

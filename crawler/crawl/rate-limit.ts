/** How long a limited page is held back without a `Retry-After`. Spec crawling §14.5, key `:rateLimited`. */
const DEFAULT_BACKOFF_MS = 300_000;
const MAX_BACKOFF_MS = 3_600_000;
/** How often a limited page is tried again. */
export const RATE_RETRIES = 4;

/**
 * Counts rate-limited pages. 429 is a limit by definition. 403 and 503 are ordinary answers of a single page; they count
 * as a limit when they carry `Retry-After`, or when the host's last page was limited too.
 */
export class RateLimiter {
  private count = 0;
  private lastAt = 0;
  private lastBackoff = 0;
  private readonly limitedHosts = new Set<string>();

  constructor(
    private readonly threshold: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** How long the page is to stay back; null when it was not limited. */
  judge(page: { host: string; status: number | undefined; retryAfterMs: number | undefined }): number | null {
    const { host, status, retryAfterMs } = page;
    const limited =
      status === 429 ||
      ((status === 403 || status === 503) && (retryAfterMs !== undefined || this.limitedHosts.has(host)));
    if (!limited) {
      this.count = 0;
      this.limitedHosts.delete(host);
      return null;
    }
    const backoff = Math.min(retryAfterMs ?? DEFAULT_BACKOFF_MS, MAX_BACKOFF_MS);
    if (this.now() - this.lastAt > this.lastBackoff && this.lastAt > 0) this.count = 0;
    this.limitedHosts.add(host);
    this.count++;
    this.lastAt = this.now();
    this.lastBackoff = backoff;
    return backoff;
  }

  /** How long the last limited page is held back, ms. A limit is believed that long without a new sign. */
  get backoffMs(): number {
    return this.lastBackoff;
  }

  /** Whether enough pages in a row were limited for the crawl to give way. */
  get isLimited(): boolean {
    return this.threshold > 0 && this.count >= this.threshold;
  }
}

import { unlessAborted, withTimeout } from '../base/time.js';

/** Time of a visit beyond the workflow's times, for reading the page and writing its records, ms. */
export const VISIT_SLACK_MS = 10_000;
/** The part of the slack that is left for writing, ms. */
const WRITING_MS = 4_000;
const STEP_TIMEOUT_MS = 30_000;

/** Limits the time of a visit, whatever its page does. */
export class VisitTime {
  private readonly cutAt: number;
  private readonly cut = new AbortController();
  private readonly timers: NodeJS.Timeout[];

  /**
   * @param limitMs the sum of the times that the workflow sets
   * @param gone aborted when the page can no longer answer
   * @param onOver called at the limit: read the page now without waiting
   */
  constructor(
    limitMs: number,
    private readonly gone: AbortSignal,
    onOver: () => void,
  ) {
    const cutMs = limitMs + VISIT_SLACK_MS - WRITING_MS;
    this.cutAt = Date.now() + cutMs;
    this.timers = [setTimeout(onOver, limitMs), setTimeout(() => this.cut.abort(), cutMs)];
  }

  /** Milliseconds until steps are cut off. */
  get leftMs(): number {
    return Math.max(0, this.cutAt - Date.now());
  }

  /** Returns the page's answer. @throws when it does not answer or no time is left for it */
  step<T>(promise: Promise<T>, what: string): Promise<T> {
    const bounded = withTimeout(promise, Math.min(STEP_TIMEOUT_MS, this.leftMs), what);
    return unlessAborted(unlessAborted(bounded, this.cut.signal), this.gone);
  }

  end(): void {
    this.timers.forEach(clearTimeout);
  }
}

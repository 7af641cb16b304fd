import { unlessAborted, withTimeout } from '../base/time.js';

/** What a visit may take on top of the times that the workflow sets: to read the page and to write down what it was. */
export const VISIT_SLACK_MS = 10_000;
/** The part of it that is left for writing. */
const WRITING_MS = 4_000;
const STEP_TIMEOUT_MS = 30_000;

/** Bounds a visit in time, whatever its page does. */
export class VisitTime {
  private readonly cutAt: number;
  private readonly cut = new AbortController();
  private readonly timers: NodeJS.Timeout[];

  /**
   * @param limitMs the sum of the times that the workflow sets
   * @param gone aborted when the page can answer nothing any more
   * @param onOver called at the limit: what is there is to be read now, nothing is to be waited for
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

  /** What the page answers. @throws when it does not answer, or has no time left to */
  step<T>(promise: Promise<T>, what: string): Promise<T> {
    const bounded = withTimeout(promise, Math.min(STEP_TIMEOUT_MS, this.leftMs), what);
    return unlessAborted(unlessAborted(bounded, this.cut.signal), this.gone);
  }

  end(): void {
    this.timers.forEach(clearTimeout);
  }
}

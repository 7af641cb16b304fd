import { delay } from '../base/time.js';
import type { PageInfo } from '../capture/page-info.js';

const QUIET_MS = 500;
const POLL_MS = 50;
/** After an answer that was waited for, what it brings may take this long to be asked for and to come. */
const AFTER_ANSWER_MS = 1_500;
/** A page that asks on and on, and whose requests are answered within this time, has nothing that is worth a wait. */
const AT_ONCE_MS = 1_000;

/** Waits for a page's requests. */
export class NetworkWait {
  constructor(
    private readonly info: PageInfo,
    /** How long to wait for one request from its start, ms. */
    private readonly requestMs: number,
  ) {}

  /**
   * Waits until the network is quiet, for at most `mostMs`. Afterwards waits for the requests still without an answer,
   * each for at most `requestMs` from its start.
   */
  async quiet(mostMs: number, signal: AbortSignal): Promise<void> {
    const until = Date.now() + this.requestMs;
    for (let most = mostMs; ; most = AFTER_ANSWER_MS) {
      await this.idle(most, signal);
      const began = Date.now();
      const awaited = this.info.openRequests(this.requestMs);
      while (awaited.some((request) => this.info.isOpen(request, this.requestMs)) && !signal.aborted)
        await delay(POLL_MS, signal);
      if (signal.aborted || Date.now() > until || Date.now() - began < AT_ONCE_MS) return;
    }
  }

  private async idle(mostMs: number, signal: AbortSignal): Promise<void> {
    const until = Date.now() + mostMs;
    while (Date.now() < until && this.info.idleMs(this.requestMs) < QUIET_MS && !signal.aborted)
      await delay(POLL_MS, signal);
  }
}

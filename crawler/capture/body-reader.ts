import type { CDPSession } from 'playwright-core';
import type { Traffic } from '../guard/traffic.js';

/** A body that has not ended after this time counts as endless. Pages with less time to load have a shorter limit. */
const BODY_TIMEOUT_MS = 20_000;
/** Share of a page's load time after which the page goes on without the body. */
const PAGE_SHARE = 0.75;
/**
 * The browser holds a body in memory until its last byte. A body of unknown length is given up when its site has sent
 * this many bytes meanwhile. Only the site's bytes can be counted before the body has ended.
 */
const MAX_HELD_BYTES = 64 * 2 ** 20;
/** Bodies read within this time are kept: small ones are not to blame for other traffic of a busy site. */
const CHECK_MS = 1_000;

/** `endless`: the body did not end in time. `huge`: it would have taken too much of the browser's memory. */
export class BodyUnread extends Error {
  constructor(readonly reason: 'endless' | 'huge') {
    super(reason === 'endless' ? 'response did not end' : 'response is too large for the browser');
  }
}

/** Reads bodies of paused responses through DevTools, within bounds of time and memory. */
export class BodyReader {
  private readonly timeoutMs: number;

  constructor(
    private readonly session: CDPSession,
    private readonly traffic: Traffic,
    loadTimeoutMs: number,
  ) {
    this.timeoutMs = Math.min(BODY_TIMEOUT_MS, loadTimeoutMs * PAGE_SHARE);
  }

  /** @throws BodyUnread; the caller must then fail the request, because nothing else frees the page */
  async read(requestId: string, url: string): Promise<Buffer> {
    const sentBefore = this.traffic.of(url);
    const until = Date.now() + this.timeoutMs;
    let timer: NodeJS.Timeout | undefined;
    const given = new Promise<never>((_resolve, reject) => {
      timer = setInterval(() => {
        if (this.traffic.of(url) - sentBefore > MAX_HELD_BYTES) reject(new BodyUnread('huge'));
        else if (Date.now() >= until) reject(new BodyUnread('endless'));
      }, CHECK_MS);
    });
    const answer = this.session.send('Fetch.getResponseBody', { requestId });
    // This promise rejects later, when the request is failed.
    answer.catch(() => undefined);
    try {
      const { body, base64Encoded } = await Promise.race([answer, given]);
      return Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
    } finally {
      clearInterval(timer);
    }
  }
}

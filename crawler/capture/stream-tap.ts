import type { CDPSession } from 'playwright-core';
import type { Truncation } from '../warc/capture-writer.js';
import { BODY_CAP } from './rules.js';

/**
 * Appended to the record of an event stream that was still open. Replay sends all events and then ends. Without this
 * line the page would reconnect and get the same events again and again. docs/adr/0022.
 */
const NO_RECONNECT = Buffer.from('retry: 2147483647\n\n');
const EVENT_ENDS = ['\n\n', '\n\r\n', '\r\r'];

/** The bytes that a page has got so far of a response that may have no end. */
export class StreamTap {
  private readonly parts: Buffer[] = [];
  private size = 0;
  private isOver = false;
  private isFull = false;
  private readonly detach: () => void;

  private constructor(
    private readonly session: CDPSession,
    private readonly requestId: string,
  ) {
    const onData = (event: { requestId: string; data?: string }) => {
      if (event.requestId === requestId && event.data) this.add(event.data);
    };
    const onOver = (event: { requestId: string }) => {
      if (event.requestId === requestId) this.isOver = true;
    };
    session.on('Network.dataReceived', onData);
    session.on('Network.loadingFinished', onOver);
    session.on('Network.loadingFailed', onOver);
    this.detach = () => {
      session.off('Network.dataReceived', onData);
      session.off('Network.loadingFinished', onOver);
      session.off('Network.loadingFailed', onOver);
    };
  }

  /**
   * Call while the response is paused. @param session of the page, its network events on
   * @returns null when the page does not know the request, as for a worker's
   */
  static async open(session: CDPSession, requestId: string): Promise<StreamTap | null> {
    const tap = new StreamTap(session, requestId);
    try {
      await session.send('Network.streamResourceContent', { requestId });
      return tap;
    } catch {
      tap.detach();
      return null;
    }
  }

  /** Returns the bytes so far; later ones are ignored. */
  end(): { bytes: Buffer; truncated?: Truncation } {
    this.detach();
    const bytes = Buffer.concat(this.parts);
    if (this.isOver && !this.isFull) return { bytes };
    const truncated = this.isFull ? 'length' : 'time';
    return { bytes: Buffer.concat([wholeEvents(bytes), NO_RECONNECT]), truncated };
  }

  private add(base64: string): void {
    if (this.isFull) return;
    const part = Buffer.from(base64, 'base64').subarray(0, BODY_CAP - this.size);
    this.size += part.length;
    this.isFull = this.size >= BODY_CAP;
    this.parts.push(part);
  }
}

/** Cuts off an incomplete last event, because the appended line would complete it. */
function wholeEvents(bytes: Buffer): Buffer {
  const ends = EVENT_ENDS.map((mark) => {
    const at = bytes.lastIndexOf(mark);
    return at < 0 ? 0 : at + mark.length;
  });
  return bytes.subarray(0, Math.max(...ends));
}

/**
 * One live connection to a browser. A socket to a container or the channel of a child process carries it. It has text
 * frames only. Each handler may be set once, and then gets the frames that came before it was set.
 */
export interface DuplexWebSocket {
  /** Sends a frame towards the browser. After close the frame is dropped. */
  send(text: string): void;
  /** Ends the connection. Idempotent. */
  close(): void;
  onMessage(handler: (text: string) => void): void;
  /** Sets a handler that is called once, whichever side closed. If that already happened it is called at once. */
  onClose(handler: () => void): void;
}

/**
 * Number of frames kept for a handler that is not set yet. Older ones are dropped first, because only the latest
 * picture matters.
 */
const MAX_EARLY_FRAMES = 64;

/** The two ends of an in-process connection. The driver keeps `emit` and `end`, the viewer gets the rest. */
export class InProcessDuplex implements DuplexWebSocket {
  private early: string[] = [];
  private closed = false;
  private messageHandler: ((text: string) => void) | undefined;
  private closeHandler: (() => void) | undefined;

  /**
   * @param received called with the frames that the viewer sends
   * @param ended called once when either side closed
   */
  constructor(
    private readonly received: (text: string) => void,
    private readonly ended: () => void,
  ) {}

  /** Driver side: a frame for the viewer. */
  emit(text: string): void {
    if (this.closed) return;
    if (this.messageHandler) {
      this.messageHandler(text);
      return;
    }
    this.early.push(text);
    // The first frame is `init`, without which a viewer cannot read the others.
    if (this.early.length > MAX_EARLY_FRAMES) this.early.splice(1, 1);
  }

  get isClosed(): boolean {
    return this.closed;
  }

  send(text: string): void {
    if (!this.closed) this.received(text);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.ended();
    this.closeHandler?.();
  }

  onMessage(handler: (text: string) => void): void {
    this.messageHandler = handler;
    const early = this.early;
    this.early = [];
    for (const text of early) handler(text);
  }

  onClose(handler: () => void): void {
    this.closeHandler = handler;
    if (this.closed) handler();
  }
}

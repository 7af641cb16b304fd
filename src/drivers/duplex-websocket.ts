/**
 * One live connection to a browser, whatever carries it: a socket to a container, or the channel of a child process.
 * Text frames only. Each handler may be set once; frames that came before it was set are handed over then.
 */
export interface DuplexWebSocket {
  /** Sends a frame towards the browser. Dropped after close. */
  send(text: string): void;
  /** Ends the connection. Idempotent. */
  close(): void;
  onMessage(handler: (text: string) => void): void;
  /** Called once, whichever side closed; at once if that already happened. */
  onClose(handler: () => void): void;
}

/** Frames kept for a handler that is not there yet; older ones go first: only the latest picture matters. */
const MAX_EARLY_FRAMES = 64;

/** The two ends of an in-process connection: the driver keeps `emit` and `end`, the viewer gets the rest. */
export class InProcessDuplex implements DuplexWebSocket {
  private early: string[] = [];
  private closed = false;
  private messageHandler: ((text: string) => void) | undefined;
  private closeHandler: (() => void) | undefined;

  /**
   * @param received what to do with frames the viewer sends
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

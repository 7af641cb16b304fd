/** A request for a browser. Those with an earlier `since` are served first. */
export interface SlotRequest {
  readonly id: string;
  /** When the browser was first wanted, in ms since the epoch. */
  readonly sinceMs: number;
  /** Called when the request gets a place. It has the place until `release`. */
  readonly granted: () => void;
}

/** The places for browsers on this machine (MAX_CONCURRENT_BROWSERS). They are given in order of arrival. */
export class BrowserSlots {
  private readonly held = new Set<string>();
  private readonly queue = new Map<string, SlotRequest>();

  constructor(private readonly places: number) {}

  /** Asks for a place. Idempotent: a request that waits, or has a place, keeps it. */
  want(waiting: SlotRequest): void {
    if (this.held.has(waiting.id)) return;
    this.queue.set(waiting.id, waiting);
    this.serve();
  }

  /** Gives up the place, or the wait for one. Idempotent. */
  release(id: string): void {
    this.queue.delete(id);
    if (this.held.delete(id)) this.serve();
  }

  holds(id: string): boolean {
    return this.held.has(id);
  }

  /** Whether any request waits for a place. */
  get isAwaited(): boolean {
    return this.queue.size > 0;
  }

  /** The reason why a request waits, in words. Null when it does not wait. */
  waitOf(id: string): string | null {
    if (!this.queue.has(id)) return null;
    const places = String(this.places);
    return `All ${places} places for browsers are taken (MAX_CONCURRENT_BROWSERS); it starts when one is free.`;
  }

  get inUse(): number {
    return this.held.size;
  }

  private serve(): void {
    while (this.held.size < this.places && this.queue.size > 0) {
      const [next] = [...this.queue.values()].sort((a, b) => a.sinceMs - b.sinceMs || a.id.localeCompare(b.id));
      if (!next) return;
      this.queue.delete(next.id);
      this.held.add(next.id);
      next.granted();
    }
  }
}

import type { DriverEvent, EventBatch } from '../crawl-driver.types.js';

/** Keeps the events of a fake run until they are acknowledged. */
export class FakeOutbox {
  private readonly events: { seq: number; event: DriverEvent }[] = [];
  private nextSeq = 1;

  put(event: DriverEvent): void {
    const seq = this.nextSeq;
    this.nextSeq += 1;
    this.events.push({ seq, event: 'line' in event ? { ...event, seq: event.seq ?? seq } : event });
  }

  drain(max: number): EventBatch {
    const batch = this.events.slice(0, max);
    const last = batch.at(-1)?.seq ?? 0;
    const ack = (): Promise<void> => {
      while (this.events[0] && this.events[0].seq <= last) this.events.shift();
      return Promise.resolve();
    };
    return { events: batch.map(({ event }) => event), ack };
  }

  /** Bytes of the files that are not acknowledged. */
  get fileBytes(): number {
    return this.events.reduce((sum, { event }) => sum + (event.type === 'file' ? event.size : 0), 0);
  }
}

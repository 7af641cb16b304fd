import pLimit, { type LimitFunction } from 'p-limit';

/** Runs work in lanes. Each lane runs a bounded number in order, so that slow work delays only its own lane. */
export class Lanes {
  private readonly lanes = new Map<string, LimitFunction>();

  constructor(private readonly width: number) {}

  /** @param work is told whether other work was in its lane when it was added */
  async run(key: string, work: (hasWaited: boolean) => Promise<void>): Promise<void> {
    const before = this.lanes.get(key);
    const lane = before ?? pLimit(this.width);
    this.lanes.set(key, lane);
    try {
      await lane(work, before !== undefined);
    } finally {
      if (lane.activeCount + lane.pendingCount === 0) this.lanes.delete(key);
    }
  }
}

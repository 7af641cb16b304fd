import pLimit, { type LimitFunction } from 'p-limit';

/** Runs work in lanes, a bounded number at a time in each, so that a slow receiver delays only itself. */
export class HostLanes {
  private readonly lanes = new Map<string, LimitFunction>();

  constructor(private readonly maxRunningPerHost: number) {}

  async run(host: string, work: () => Promise<void>): Promise<void> {
    const lane = this.lanes.get(host) ?? pLimit(this.maxRunningPerHost);
    this.lanes.set(host, lane);
    try {
      await lane(work);
    } finally {
      if (lane.activeCount + lane.pendingCount === 0) this.lanes.delete(host);
    }
  }
}

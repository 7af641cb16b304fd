interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs work in lanes, a bounded number at a time in each, so that a slow receiver delays only itself. */
export class HostLanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly maxRunningPerHost: number) {}

  async run(host: string, work: () => Promise<void>): Promise<void> {
    const lane = this.lanes.get(host) ?? { running: 0, waiting: [] };
    this.lanes.set(host, lane);
    if (lane.running >= this.maxRunningPerHost) await new Promise<void>((resolve) => lane.waiting.push(resolve));
    else lane.running++;
    try {
      await work();
    } finally {
      // The place is handed on, so that nobody slips in between.
      const next = lane.waiting.shift();
      if (next) next();
      else if (--lane.running === 0) this.lanes.delete(host);
    }
  }
}

import type { Tx } from '../../database/unit-of-work.js';
import type { Held, Lease, Leases } from '../../database/leases.js';
import type { CrawlJob } from './crawl-job.schema.js';

/** Another process has taken the job over, so this one drops its work on it. */
export class LeaseLost extends Error {
  constructor(jobId: string) {
    super(`lost the lease of ${jobId}`);
  }
}

/** Where the job of a run is stored. */
interface StoredJobs {
  readonly leases: Leases<CrawlJob>;
  /** @returns whether the lease still held */
  change(lease: Lease, set: Partial<CrawlJob>, tx?: Tx): Promise<boolean>;
}

/** A run that this process has claimed. Its job is as it was claimed, with the changes that this process made since. */
export class HeldRun {
  readonly lease: Lease;
  private current: Readonly<CrawlJob>;

  constructor(
    { record, lease }: Held<CrawlJob>,
    private readonly jobs: StoredJobs,
  ) {
    this.lease = lease;
    this.current = record;
  }

  /** The job as last read or changed. Callers read it again after a change. */
  get job(): Readonly<CrawlJob> {
    return this.current;
  }

  /** Stores fields of the job. @throws LeaseLost, which aborts `tx` */
  async change(set: Partial<CrawlJob>, tx?: Tx): Promise<void> {
    if (!(await this.jobs.change(this.lease, set, tx))) throw new LeaseLost(this.job._id);
    this.current = { ...this.current, ...set };
  }

  /** Renews the lease; it is called between two long steps. @throws LeaseLost */
  async renew(): Promise<void> {
    if (!(await this.jobs.leases.renew(this.lease))) throw new LeaseLost(this.job._id);
  }
}

import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import type { Tx } from '../database/unit-of-work.js';
import { JobsRepository } from './data/jobs.repository.js';
import { newPlan, type Job } from './data/job.schema.js';
import { jobIdOf, kindOf, type JobTarget, type BgJobType } from './job-kind.js';
import { JobWorker } from './job-worker.js';

export interface StartJob {
  readonly oid: string | null;
  readonly fields?: JobTarget;
  /** The job does not run before this moment; absent: it runs now. */
  readonly dueAt?: Date;
  /** Transaction of the change that asks for the job. The job starts with its commit. */
  readonly tx?: Tx;
}

/** Puts jobs into the queue. */
@Injectable()
export class JobStarter {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly worker: JobWorker,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a job. Some kinds have one row for each object: a start while such a job runs makes it run once more, or
   * counts as started.
   * @returns the job's id
   */
  async start(type: BgJobType, { oid, fields = {}, dueAt, tx }: StartJob): Promise<string> {
    const id = jobIdOf(type, { oid, ...fields }, randomBytes(5).toString('hex'));
    const plan = newPlan(dueAt ?? this.clock.now());
    const job: Job = {
      _id: id,
      type,
      oid,
      success: null,
      started: this.clock.creationTime(),
      finished: null,
      previousAttempts: null,
      ...fields,
      plan,
    };
    const { onePerObject } = kindOf(type) ?? {};
    if (onePerObject) await this.startFixed(job, onePerObject === 'runs again', tx);
    else await this.jobs.insert(job, tx);
    if (!tx) this.worker.wake();
    return id;
  }

  /**
   * Starts a job of the whole deployment under an id that the caller makes.
   * @param suffix 10 hex digits
   * @returns false when a job of that id exists
   */
  async startOnce(type: BgJobType, suffix: string): Promise<boolean> {
    const plan = newPlan(this.clock.now());
    const started = this.clock.creationTime();
    const id = jobIdOf(type, { oid: null }, suffix);
    const rest = { success: null, finished: null, previousAttempts: null };
    const isNew = await this.jobs.insert({ _id: id, type, oid: null, started, ...rest, plan });
    if (isNew) this.worker.wake();
    return isNew;
  }

  /** Lets jobs begin at once. It is called after the commit of the transaction in which they were started. */
  wake(): void {
    this.worker.wake();
  }

  private async startFixed(job: Job, coalesces: boolean, tx?: Tx): Promise<void> {
    // Each step fails only if another process changed the row meanwhile. Then the next step applies.
    for (let round = 0; round < 3; round++) {
      if (coalesces && (await this.jobs.askAgain(job._id, tx))) return;
      if (await this.jobs.restart(job, tx)) return;
      const known = await this.jobs.get('all-orgs', job._id);
      if (known && known.finished === null) {
        if (!coalesces) return;
        continue;
      }
      if (!known && (await this.jobs.insert(job, tx))) return;
    }
  }
}

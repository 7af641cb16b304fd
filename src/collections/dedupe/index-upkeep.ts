import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import { CrawlJobsRepository } from '../../crawls/data/crawl-jobs.repository.js';
import { IndexStatesRepository } from '../data/index-states.repository.js';
import { IndexUpdateJob } from './index-update-job.js';

/** An index that nobody has used for this long is idle. Contract: archive §1, `dedupe.idle_secs`. */
const IDLE_MS = seconds(180);

/** Changes the states of dedupe indexes that no event changes. Any number of processes may do so. */
@Injectable()
export class IndexUpkeep {
  constructor(
    private readonly states: IndexStatesRepository,
    private readonly update: IndexUpdateJob,
    private readonly crawls: CrawlJobsRepository,
    private readonly clock: Clock,
  ) {}

  @Interval(seconds(20))
  async look(): Promise<void> {
    await this.adopt();
    const now = this.clock.now();
    for (const { oid, _id } of await this.states.crawlingAcrossOrgs())
      if (!(await this.crawls.usesDedupeIndex(oid, _id))) await this.states.rest(oid, _id, now);
    await this.states.idleAcrossOrgs(new Date(now.getTime() - IDLE_MS), now);
  }

  /** An index of a database that was taken over has its entries in a file of the reference, so it is made anew. */
  private async adopt(): Promise<void> {
    for (const { oid, _id } of await this.states.foreignAcrossOrgs())
      if (await this.states.beginUpdate(oid, _id, this.clock.now())) await this.update.start(oid, _id);
  }
}

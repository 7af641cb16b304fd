import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { seconds } from '../../common/units/durations.js';
import { CrawlSupervisor } from './crawl-supervisor.js';

@Injectable()
export class CrawlsSchedule {
  constructor(private readonly supervisor: CrawlSupervisor) {}

  /** Often, so that a wish of a user is acted on at once; jobs that are not due cost one indexed read. */
  @Interval(seconds(0.5))
  async evaluateDue(): Promise<void> {
    await this.supervisor.runDue();
  }
}

import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { minutes, seconds } from '../common/units/durations.js';
import { CronStarter } from './cron-starter.js';
import { FailedJobNotice } from './failed-job-notice.js';
import { JobWorker } from './job-worker.js';

/** Jobs that became due by time, and those whose process died. */
@Injectable()
export class JobsSchedule {
  constructor(
    private readonly worker: JobWorker,
    private readonly crons: CronStarter,
    private readonly notice: FailedJobNotice,
  ) {}

  @Interval(seconds(2))
  async run(): Promise<void> {
    await this.worker.look();
  }

  /** Firings are whole minutes; looking more often keeps the delay short. */
  @Interval(seconds(10))
  async fire(): Promise<void> {
    await this.crons.look();
  }

  @Interval(minutes(1))
  async tell(): Promise<void> {
    await this.notice.sendDigest();
  }
}

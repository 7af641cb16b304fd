import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { CronExpressionParser } from 'cron-parser';
import { Clock } from '../common/clock/clock.js';
import { seconds } from '../common/units/durations.js';
import { JobsRepository } from './data/jobs.repository.js';
import { JobHandlers, type JobHandler } from './job-handlers.js';
import type { BgJobType } from './job-kind.js';
import { JobStarter } from './job-starter.js';

/**
 * Starts the jobs that run on a schedule. Every process looks; the job's id is made of the firing, so one firing is one
 * job. A firing while the last run is under way is left out. Contract: archive §12.
 */
@Injectable()
export class CronStarter {
  private readonly logger = new Logger('jobs');
  private lookedAt: Date | null = null;

  constructor(
    private readonly handlers: JobHandlers,
    private readonly jobs: JobsRepository,
    private readonly starter: JobStarter,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts what fired since the last look. The first look only remembers the time. Firings are whole minutes; looking
   * more often keeps the delay short.
   * @returns how many jobs were started
   */
  @Interval(seconds(10))
  async look(): Promise<number> {
    const now = this.clock.now();
    const since = this.lookedAt ?? now;
    this.lookedAt = now;
    let started = 0;
    for (const [type, handler] of this.handlers.all()) {
      try {
        if (await this.startIfFired(type, handler, since, now)) started += 1;
      } catch (error) {
        this.logger.error({ event: 'cron_job_not_started', type, err: error });
      }
    }
    return started;
  }

  private async startIfFired(type: BgJobType, { cron }: JobHandler, since: Date, now: Date): Promise<boolean> {
    if (!cron) return false;
    const firing = lastFiring(cron, now);
    if (firing <= since || (await this.jobs.isRunning(type))) return false;
    const suffix = createHash('sha256').update(`${type} ${firing.toISOString()}`).digest('hex').slice(0, 10);
    return this.starter.startOnce(type, suffix);
  }
}

/** The latest firing that is not after `now`. Schedules are in UTC. @throws Error for an invalid expression */
export function lastFiring(cron: string, now: Date): Date {
  // `prev` looks strictly before its date. A firing at this very moment has to count, so the date is 1 ms later.
  const currentDate = new Date(now.getTime() + 1);
  return CronExpressionParser.parse(cron, { currentDate, tz: 'UTC' }).prev().toDate();
}

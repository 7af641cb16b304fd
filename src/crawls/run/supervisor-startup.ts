import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { AtStartup } from '../../database/startup.js';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import { CrawlJobsRepository } from '../data/crawl-jobs.repository.js';

/**
 * Reconciles the supervisor with the driver's runs when the service starts. Contract: crawling §14, crash of the API.
 */
@Injectable()
export class SupervisorStartup implements OnModuleInit {
  private readonly logger = new Logger('crawls');

  constructor(
    private readonly driver: CrawlDriver,
    private readonly jobs: CrawlJobsRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.driver.onWake?.((jobId) => this.wake(jobId));
  }

  /** Removes runs that the driver has and no job asks for. A crash between the two left them. */
  @AtStartup('leftover crawls', { after: 'workflow schedules' })
  async removeLeftovers(): Promise<void> {
    const held = await this.driver.list();
    const wanted = await this.jobs.existing(held);
    for (const jobId of held.filter((id) => !wanted.has(id))) {
      this.logger.warn({ event: 'leftover_job_removed', jobId });
      await this.driver.remove(jobId);
    }
  }

  /** Makes a job due now. This is a hint only: the job is due at the latest when its own time comes. */
  private wake(jobId: string): void {
    this.jobs.nudge(jobId, this.clock.now()).catch((error: unknown) => {
      this.logger.warn({ event: 'wake_lost', jobId, err: error });
    });
  }
}

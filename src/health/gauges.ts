import { Injectable } from '@nestjs/common';
import { Gauge, Histogram, type Registry } from 'prom-client';
import { BackupStateReads } from '../backup/data/backup-state.reads.js';
import { Clock } from '../common/clock/clock.js';
import { VERSION } from '../common/product.js';
import { AppConfig } from '../config/app-config.js';
import { CrawlDriver } from '../drivers/crawl-driver.js';
import { DatabasePoolReads } from './data/database-pool.reads.js';
import { MetricsQueries } from './data/metrics.queries.js';
import { diskSpace } from './disk-space.js';

/** How full an org may be before it counts as nearly full. */
const NEARLY = 0.9;

/**
 * Metrics that are read on each request for them. Those of the database are the same in every process: `max` over
 * processes is right, `sum` is not.
 */
@Injectable()
export class Gauges {
  constructor(
    private readonly queries: MetricsQueries,
    private readonly pool: DatabasePoolReads,
    private readonly backups: BackupStateReads,
    private readonly driver: CrawlDriver,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  addTo(registry: Registry): void {
    this.ofProcess(registry);
    this.ofCrawls(registry);
    this.ofStorage(registry);
    this.ofBackups(registry);
    const gauge = gaugesOf(registry);
    gauge('muniment_jobs_queued', 'Background jobs due, running or waiting for another try', () =>
      this.queries.queuedJobs(),
    );
    gauge(
      'muniment_job_longest_wait_seconds',
      'How long the background job is due that is due longest, 0 when none is',
      async () => this.secondsSince(await this.queries.jobDueSince()),
    );
    gauge('muniment_webhooks_undelivered', 'Webhook notifications on their way', async () =>
      this.queries.undelivered(),
    );
    gauge(
      'muniment_webhook_oldest_undelivered_seconds',
      'Age of the notification that is next to be sent, 0 when there is none',
      async () => this.secondsSince(await this.queries.oldestUndelivered()),
    );
  }

  private ofProcess(registry: Registry): void {
    const registers = [registry];
    const labels = { version: VERSION, driver: this.driver.kind };
    const help = 'Version and crawl driver of the process; the value is always 1';
    new Gauge({ name: 'muniment_build_info', help, labelNames: ['version', 'driver'], registers }).set(labels, 1);
    const waits = new Histogram({
      name: 'muniment_database_checkout_seconds',
      help: 'How long requests waited for a connection of the pool',
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
      registers,
    });
    this.pool.onCheckedOut((seconds) => waits.observe(seconds));
  }

  private ofCrawls(registry: Registry): void {
    const { queries } = this;
    new Gauge({
      name: 'muniment_crawls',
      help: 'Active crawls by state',
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        for (const [state, count] of await queries.activeCrawls()) this.set({ state }, count);
      },
    });
    const gauge = gaugesOf(registry);
    gauge('muniment_browser_windows', 'Browser windows of the crawls that run', () => queries.windowsInUse());
    gauge(
      'muniment_crawl_longest_wait_seconds',
      'How long the crawl waits that waits longest for its turn or for room, 0 when none does',
      async () => this.secondsSince(await queries.longestWaitingSince()),
    );
  }

  private ofStorage(registry: Registry): void {
    const gauge = gaugesOf(registry);
    const disk = () => diskSpace(this.config.dataDir);
    gauge('muniment_disk_free_bytes', 'Free bytes where DATA_DIR is', async () => (await disk()).freeBytes);
    gauge('muniment_disk_total_bytes', 'Bytes of the disk where DATA_DIR is', async () => (await disk()).totalBytes);
    gauge('muniment_stored_bytes', 'Bytes that all orgs store', () => this.queries.storedBytes());
    gauge('muniment_orgs_nearly_full', 'Orgs that have used 90 % of their storage quota', () =>
      this.queries.orgsAbove(NEARLY),
    );
  }

  /** A service that makes none by itself, and has none, says nothing. */
  private ofBackups(registry: Registry): void {
    const { cron, rehearsal } = this.config.backup;
    const age = (name: string, help: string, last: () => Promise<Date | null>, schedule: string): void => {
      const seconds = async (): Promise<number | null> => {
        const at = await last();
        if (at) return this.secondsSince(at);
        return schedule !== '' ? Number.POSITIVE_INFINITY : null;
      };
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          const since = await seconds();
          if (since === null) this.remove();
          else this.set(since);
        },
      });
    };
    age(
      'muniment_backup_age_seconds',
      'Age of the moment that the last completed backup holds; infinite when there was none yet',
      () => this.backups.lastTaken(),
      cron,
    );
    age(
      'muniment_backup_rehearsal_age_seconds',
      'Time since a backup was last restored by schedule, whole and in agreement; infinite when that never was',
      () => this.backups.lastRehearsed(),
      rehearsal.cron,
    );
  }

  private secondsSince(at: Date | null): number {
    return at ? Math.max(0, this.clock.nowMs() - at.getTime()) / 1000 : 0;
  }
}

const gaugesOf =
  (registry: Registry) =>
  (name: string, help: string, read: () => Promise<number>): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  };

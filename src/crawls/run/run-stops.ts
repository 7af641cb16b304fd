import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { quotasOf } from '../../orgs/rules/quota.rules.js';
import { CrawlJobsRepository } from '../data/crawl-jobs.repository.js';
import type { HeldRun } from '../data/held-run.js';
import { RunsRepository } from '../data/runs.repository.js';
import type { StopReason } from '../rules/crawl-state.js';
import { stopReason, type Stop } from '../rules/stop-reason.js';
import type { RunContext } from './run-kind.js';
import type { Seen } from './run-observer.js';
import { RunMeter } from './run-meter.js';

/**
 * Stop reasons of QA runs. They cannot be resumed, so what pauses a crawl ends them. Rate limits do not concern replay.
 */
const QA_STOPS: Readonly<Record<string, StopReason>> = {
  paused_org_readonly: 'stopped_org_readonly',
  paused_storage_quota_reached: 'stopped_storage_quota_reached',
  paused_time_quota_reached: 'stopped_time_quota_reached',
};

/** Decides whether a run has to stop or pause, and records why. Contract: crawling §11.6. */
@Injectable()
export class RunStops {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: CrawlJobsRepository,
    private readonly runs: RunsRepository,
    private readonly usage: OrgUsage,
    private readonly meter: RunMeter,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  async decide(held: HeldRun, context: RunContext, seen: Seen): Promise<void> {
    const { job } = held;
    if (job.stopReason !== null) return;
    const now = this.clock.now();
    const stop = stopReason(await this.facts(held, context, seen), now);
    if (!stop) return;
    if (job.kind === 'qa' && stop.pause) {
      const reason = QA_STOPS[stop.reason];
      if (reason) await this.record(held, { reason, pause: false });
      return;
    }
    await this.record(held, stop);
  }

  private async facts(held: HeldRun, { job, org, item, run }: RunContext, seen: Seen) {
    // The org's counter already has the registered bytes. The run's own pending bytes are taken live (seed §8, crawling
    // §16.3).
    const others = quotasOf(org).storageQuota > 0 ? await this.jobs.pendingBytesOfOthers(job.oid, job._id) : 0;
    return {
      stopRequested: job.stopping,
      pausedAt: job.pausedAt,
      elapsedMs: this.meter.elapsedMs(held, seen, run.meteredUntil),
      timeoutSeconds: job.timeout,
      sizeBytes: seen.sizePending + job.filesAddedSize,
      maxSizeBytes: job.maxCrawlSize,
      orgReadOnly: org.readOnly ?? false,
      storageQuotaReached: this.usage.isStorageQuotaReached(org, seen.sizePending + others),
      execQuotaReached: this.usage.isExecMinutesQuotaReached(org),
      rateLimitedAt: item.rateLimitedAt ?? null,
      rateLimitMinutes: this.config.crawls.rateLimitMinutes,
    };
  }

  /** Records the reason. An automatic pause is the same as a user's, with its own reason. */
  private async record(held: HeldRun, { reason, pause }: Stop): Promise<void> {
    const { job } = held;
    const pausedAt = pause ? (job.pausedAt ?? this.clock.timestamp()) : job.pausedAt;
    await this.unitOfWork.run(async (tx) => {
      await held.change({ stopReason: reason, pausedAt }, tx);
      if (job.kind !== 'crawl') return;
      const set = pause ? { shouldPause: true, pausedAt } : { stopping: true };
      await this.runs.setActiveCrawl(job.oid, job.crawlId, set, tx);
    });
  }
}

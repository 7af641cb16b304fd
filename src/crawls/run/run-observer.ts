import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import type { InstanceObservation, JobObservation } from '../../drivers/crawl-driver.types.js';
import { RUNNING } from '../../items/data/item-state.facts.js';
import type { HeldRun } from '../data/held-run.js';
import { RunsRepository } from '../data/runs.repository.js';
import { PROXY_EXIT } from '../rules/run-verdict.js';
import { LogIngest } from '../logs/log-ingest.js';
import { RunIngest } from './run-ingest.js';
import { RunKinds, type RunContext } from './run-kind.js';

/** Exit codes that a stop or the driver causes. Other exits are reported to the user. Contract: crawling §11.3. */
const EXPECTED_EXITS: readonly number[] = [0, 11, 13];

const EXIT_TEXTS: Readonly<Record<number, string>> = {
  1: 'Generic Error',
  3: 'Out of Space',
  4: 'Invalid Crawl Config Option',
  8: 'Redis Unavailable',
  9: 'Failed',
  10: 'Browser Crashed',
  11: 'Signal Interrupted',
  12: 'Failed Pages Limit Reached',
  13: 'Signal Interrupted (Force)',
  14: 'Size Limit Reached',
  15: 'Time Limit Reached',
  16: 'Disk Utilization Limit Reached',
  17: 'Fatal Error',
  18: 'Rate Limited',
  21: 'Proxy Error',
  22: 'Upload Failed',
  137: 'Out of Memory',
};

/** What the driver reports of a run, after the run's events were stored. */
export interface Seen extends JobObservation {
  /** Bytes collected and not yet registered as files. */
  readonly sizePending: number;
  /** Number of ends in a row that the proxy caused. */
  readonly proxyFailures: number;
}

/** Observes a run's instances, stores what they hand over and keeps the counters. Contract: crawling §11.3, §11.5. */
@Injectable()
export class RunObserver {
  constructor(
    private readonly driver: CrawlDriver,
    private readonly ingest: RunIngest,
    private readonly logs: LogIngest,
    private readonly runs: RunsRepository,
    private readonly kinds: RunKinds,
    private readonly clock: Clock,
  ) {}

  /** Observes a run. The counters in `held.job` are those after its events were stored. */
  async observe(held: HeldRun, context: RunContext): Promise<Seen> {
    const { job } = held;
    const seen = await this.driver.observe(job._id);
    if (!seen.exists) return { ...seen, sizePending: job.sizePending, proxyFailures: job.proxyFailures ?? 0 };
    await this.ingest.drain(held, { pagesTo: this.kinds.of(job.kind), keepLogs: true });
    const { filesAdded, filesAddedSize } = held.job;
    // Files that were just registered were still pending when the driver was first asked. The second question makes
    // them count once.
    const sizePending = pendingBytesOf(filesAdded > job.filesAdded ? await this.driver.observe(job._id) : seen);
    const size = sizePending + filesAddedSize;
    const stats = { found: seen.found, done: seen.done, size, req_crawls: [...seen.requiredCrawls] };
    await this.runs.setStats(job, stats, sizePending, RUNNING);
    const proxyFailures = await this.reportExits(held, seen);
    await this.applyRateLimit(context, seen);
    return { ...seen, sizePending, proxyFailures };
  }

  /** Stores what was seen, so that the next evaluation knows what is new. */
  async remember(held: HeldRun, seen: Seen): Promise<void> {
    const runs = seen.instances.some(({ phase }) => phase === 'running');
    const instances = seen.instances.map(({ index, startedAt, exitedAt, exitCode, pendingBytes }) => ({
      index,
      startedAt: startedAt ?? null,
      exitedAt: exitedAt ?? null,
      exitCode: exitCode ?? null,
      pendingBytes,
    }));
    const { found, done, sizePending, proxyFailures } = seen;
    await held.change({
      found,
      done,
      sizePending,
      instances,
      proxyFailures,
      ...(runs ? { lastActiveTime: this.clock.now(), storeSuspended: false } : {}),
    });
  }

  private async applyRateLimit({ item, job }: RunContext, seen: JobObservation): Promise<void> {
    if (job.kind !== 'crawl' || !seen.rateLimited || item.rateLimitedAt) return;
    const at = this.clock.timestamp();
    await this.runs.setCrawl(job.oid, job.crawlId, { rateLimitedAt: at });
    item.rateLimitedAt = at;
  }

  /** Reports instances that ended in another way than asked for. @returns `proxyFailures` with these ends */
  private async reportExits({ job }: HeldRun, seen: JobObservation): Promise<number> {
    let proxyFailures = seen.done > job.done ? 0 : (job.proxyFailures ?? 0);
    for (const instance of seen.instances) {
      if (instance.exitCode === undefined || EXPECTED_EXITS.includes(instance.exitCode)) continue;
      if (!isNew(job.instances, instance)) continue;
      if (instance.exitCode === PROXY_EXIT) proxyFailures += 1;
      const reason = EXIT_TEXTS[instance.exitCode] ?? 'Unspecified Error';
      const pod = `crawl-${job._id}-${String(instance.index)}`;
      await this.logs.note(job, `Crawler Instance Exited: ${reason}`, { pod, exitCode: instance.exitCode, reason });
    }
    return proxyFailures;
  }
}

const pendingBytesOf = ({ instances }: JobObservation): number =>
  instances.reduce((sum, { pendingBytes }) => sum + pendingBytes, 0);

const isNew = (
  known: readonly { index: number; exitedAt: Date | null }[],
  { index, exitedAt }: InstanceObservation,
): boolean => known.find((instance) => instance.index === index)?.exitedAt?.getTime() !== exitedAt?.getTime();

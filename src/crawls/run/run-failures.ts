import { Injectable, Logger } from '@nestjs/common';
import { seconds } from '../../common/units/durations.js';
import { AppConfig } from '../../config/app-config.js';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import { Storages, UnknownStorage } from '../../storage/storages.js';
import { LeaseLost, type HeldRun } from '../data/held-run.js';
import { LogIngest } from '../logs/log-ingest.js';
import { RunFinisher } from './run-finisher.js';
import { RunInputGone } from './run-input-gone.js';
import type { RunContext } from './run-kind.js';

/** So many failed evaluations in a row ask the crawler to pack what it has: half an hour of backoff. */
const STOP_AFTER_FAILURES = 10;
/** So many end the run. The time between the two is for packing and uploading. */
const MAX_FAILURES = 20;

const MAX_BACKOFF_SECONDS = 300;

/** Until the next try after so many failures in a row: a tick, then twice as long each time, 300 s at most. */
const backoffSeconds = (failures: number, tickSeconds: number): number =>
  Math.min(MAX_BACKOFF_SECONDS, tickSeconds * 2 ** Math.max(0, Math.min(failures - 1, 10)));

const REPEATED = 'The crawl could not be carried on: the same step failed again and again';

/** Failures in a row of a job, and when to look at it again. */
export interface AfterFailure {
  readonly failures: number;
  readonly waitMs: number;
}

/**
 * Ends runs whose evaluation fails for good: at once when something is gone that they start from, else after a bounded
 * number of tries. Whoever looks at the crawl sees why in its errors.
 */
@Injectable()
export class RunFailures {
  private readonly logger = new Logger('crawls');

  constructor(
    private readonly driver: CrawlDriver,
    private readonly storages: Storages,
    private readonly finisher: RunFinisher,
    private readonly logs: LogIngest,
    private readonly config: AppConfig,
  ) {}

  /**
   * Never fails: what goes wrong here as well is tried again.
   * @param context null: the run is over, its teardown failed
   */
  async after(held: HeldRun, context: RunContext | null, error: unknown): Promise<AfterFailure> {
    const { tickSeconds } = this.config.crawls;
    const { job } = held;
    // A look that somebody asked for comes early, and is not counted.
    const before = job.failures ?? 0;
    const failures = before + (job.nudgedAt?.getTime() === job.dueAt.getTime() ? 0 : 1);
    const again = { failures, waitMs: seconds(backoffSeconds(failures, tickSeconds)) };
    try {
      const gone = context && !context.run.meteredUntil ? whatIsGone(error) : null;
      if (context && gone) return await this.end(held, context, gone);
      // What all runs need doesn't answer: that is no fault of this one.
      if (await this.isOutage()) return { failures: before, waitMs: seconds(tickSeconds) };
      if (!context) return again;
      if (again.failures >= MAX_FAILURES) return await this.end(held, context, whatIsGone(error) ?? REPEATED);
      if (again.failures === STOP_AFTER_FAILURES) await this.askToPack(held, whatIsGone(error) ?? REPEATED);
    } catch (second) {
      if (!(second instanceof LeaseLost))
        this.logger.error({ event: 'failed_run_not_ended', oid: job.oid, jobId: job._id, err: second });
    }
    return again;
  }

  /** What was crawled and is not stored yet is stored, if the crawler can still do that. */
  private async askToPack({ job }: HeldRun, reason: string): Promise<void> {
    await this.logs.note(job, reason, { tries: STOP_AFTER_FAILURES });
    await this.driver.requestStop(job._id);
  }

  /** Files that are registered are kept. */
  private async end(held: HeldRun, context: RunContext, reason: string): Promise<AfterFailure> {
    await this.logs.note(held.job, reason, { tries: held.job.failures ?? 0 });
    const to = context.run.files.length > 0 ? 'complete' : 'failed';
    await this.finisher.finish(context, to, { held, observed: null });
    return { failures: 0, waitMs: 0 };
  }

  private async isOutage(): Promise<boolean> {
    return Promise.all([this.driver.ping(), this.storages.ping()]).then(
      () => false,
      () => true,
    );
  }
}

/** In words for the user, or null when the error is of another kind. */
function whatIsGone(error: unknown): string | null {
  if (error instanceof RunInputGone) return error.message;
  return error instanceof UnknownStorage ? 'The storage that the crawl writes to is not configured any more' : null;
}

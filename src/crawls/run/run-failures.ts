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

/**
 * Failed evaluations in a row after which the crawler is asked to pack what it has. They take half an hour of backoff.
 */
const STOP_AFTER_FAILURES = 10;
/** Failed evaluations in a row that end the run. The time between the two numbers is for packing and uploading. */
const MAX_FAILURES = 20;

const MAX_BACKOFF_SECONDS = 300;

/** Seconds until the next try: a tick after the first failure, then twice as long each time, 300 s at most. */
const backoffSeconds = (failures: number, tickSeconds: number): number =>
  Math.min(MAX_BACKOFF_SECONDS, tickSeconds * 2 ** Math.max(0, Math.min(failures - 1, 10)));

const REPEATED = 'The crawl could not be carried on: the same step failed again and again';

/** A job's failures in a row, and the time until the next look at it. */
export interface AfterFailure {
  readonly failures: number;
  readonly waitMs: number;
}

/**
 * Ends runs whose evaluation fails for good. That is at once when something is gone that they start from, else after a
 * bounded number of tries. The crawl's errors tell the user why.
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
   * Handles a failed evaluation. It never fails: what goes wrong here too is tried again.
   * @param context null: the run is over, and its teardown failed
   */
  async after(held: HeldRun, context: RunContext | null, error: unknown): Promise<AfterFailure> {
    const { tickSeconds } = this.config.crawls;
    const { job } = held;
    // A look that a user's wish made due comes early, and is not counted.
    const before = job.failures ?? 0;
    const failures = before + (job.nudgedAt?.getTime() === job.dueAt.getTime() ? 0 : 1);
    const again = { failures, waitMs: seconds(backoffSeconds(failures, tickSeconds)) };
    try {
      const gone = context && !context.run.meteredUntil ? whatIsGone(error) : null;
      if (context && gone) return await this.end(held, context, gone);
      // A service that all runs need does not answer, which is no fault of this run.
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

  /** Asks the crawler to pack and store what it has crawled, if it still can. */
  private async askToPack({ job }: HeldRun, reason: string): Promise<void> {
    await this.logs.note(job, reason, { tries: STOP_AFTER_FAILURES });
    await this.driver.requestStop(job._id);
  }

  /** Ends the run. Files that are registered are kept. */
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

/** The reason in words for the user. Null when the error is of another kind. */
function whatIsGone(error: unknown): string | null {
  if (error instanceof RunInputGone) return error.message;
  return error instanceof UnknownStorage ? 'The storage that the crawl writes to is not configured any more' : null;
}

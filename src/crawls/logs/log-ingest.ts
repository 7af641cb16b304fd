import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import { parseDateTime } from '../../common/validation/date-time.js';
import type { LogEvent } from '../../drivers/crawl-driver.types.js';
import type { CrawlJob } from '../data/crawl-job.schema.js';
import type { CrawlLog } from '../data/crawl-log.schema.js';
import { CrawlLogsRepository } from '../data/crawl-logs.repository.js';
import { logLineId } from '../rules/run-ids.js';

/** Stores crawlers' log lines as they come. Contract: crawling §3.6, §14.6. */
@Injectable()
export class LogIngest {
  private readonly logger = new Logger('crawls');

  constructor(
    private readonly logs: CrawlLogsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores lines. A line with a sequence number is stored once however often it comes. A line that cannot be read is
   * skipped.
   */
  async ingest(job: CrawlJob, events: readonly LogEvent[]): Promise<void> {
    await this.logs.insertNew(events.flatMap((event) => this.toLine(job, event)));
  }

  /** Stores a line of the supervisor's own, in the list of errors. */
  async note(job: CrawlJob, message: string, details: Record<string, unknown>): Promise<void> {
    const line = { timestamp: this.clock.now(), logLevel: 'error', context: 'k8s', message, details };
    await this.logs.insertNew([{ ...ownerOf(job), _id: newId(), ...line }]);
  }

  private toLine(job: CrawlJob, event: LogEvent): CrawlLog[] {
    const line = parseObject(event.line);
    if (!line) {
      this.logger.warn({ event: 'log_line_unreadable', oid: job.oid, jobId: job._id });
      return [];
    }
    return [
      {
        ...ownerOf(job),
        _id: event.seq === undefined ? newId() : logLineId(job._id, event.seq),
        timestamp: parseDateTime(line['timestamp']) ?? this.clock.now(),
        logLevel: text(line['logLevel']) || 'error',
        context: text(line['context']) || 'general',
        message: text(line['message']),
        details: detailsOf(line['details']),
      },
    ];
  }
}

const ownerOf = (job: CrawlJob) => ({
  crawlId: job.crawlId,
  oid: job.oid,
  qaRunId: job.kind === 'qa' ? job._id : null,
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The details of a line as an object. A value that is no object is kept as `items`; empty values give null. Contract:
 * crawling §3.6.
 */
export function detailsOf(details: unknown): Record<string, unknown> | null {
  if (details === null || details === undefined || details === '') return null;
  if (typeof details !== 'object' || Array.isArray(details)) return { items: details };
  return Object.keys(details).length > 0 ? (details as Record<string, unknown>) : null;
}

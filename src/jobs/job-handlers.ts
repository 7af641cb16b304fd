import { Injectable, type OnModuleInit } from '@nestjs/common';
import { oneEach } from '../common/discovery/by-name.js';
import { Discovered } from '../common/discovery/discovered.js';
import { Mark } from '../common/discovery/mark.js';
import type { Job } from './data/job.schema.js';
import type { JobFields } from './dto/job-fields.dto.js';
import { declareJob, jobKinds, type JobKind, type BgJobType } from './job-kind.js';

/** What a handler may do besides the job's work. */
export interface JobContext {
  /** The signal aborts when the lease was lost or the process stops. The handler gives up at the next safe point. */
  readonly signal: AbortSignal;
  /** Keeps a log line with the job. */
  log(message: string): Promise<void>;
}

/** The code of a room for jobs of one type. */
export interface JobHandler {
  /** Number of jobs of this type that one process runs at a time. */
  readonly concurrency: number;
  /** Schedule on which the job starts by itself: a cron expression in UTC. */
  readonly cron?: string;
  /** Number of runs in one attempt. Between runs it waits 1 s, 2 s, 4 s … up to an hour. */
  readonly maxTries: number;
  /** Runs the job. It has to be idempotent, because it is called again after a crash. A throw is a failed run. */
  run(job: Job, context: JobContext): Promise<void>;
  /** Called once when the attempt has failed for good. */
  failed?(job: Job, error: unknown): Promise<void>;
  /** Checks that a failed job can be started again now. @throws the contract's error if it cannot */
  checkRetry?(job: Job): Promise<void>;
}

const HANDLERS = new Mark<BgJobType, JobHandler>();

/** Marks a class as the handler of jobs of this kind. */
export function HandlesJob<B extends JobFields>(kind: JobKind<B>): ReturnType<typeof HANDLERS.onClass> {
  declareJob(kind);
  return HANDLERS.onClass(kind.type);
}

/** The handlers of jobs, one for each type. */
@Injectable()
export class JobHandlers implements OnModuleInit {
  private handlers: ReadonlyMap<BgJobType, JobHandler> = new Map();

  constructor(private readonly discovered: Discovered) {}

  /** @throws Error when a type has no handler, or two */
  onModuleInit(): void {
    this.handlers = oneEach(
      'handler of jobs',
      jobKinds().map(({ type }) => type),
      this.discovered.with(HANDLERS),
    );
  }

  get(type: string): JobHandler | undefined {
    return this.handlers.get(type as BgJobType);
  }

  all(): [type: BgJobType, handler: JobHandler][] {
    return [...this.handlers];
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { oneEach } from '../common/discovery/by-name.js';
import { Discovered } from '../common/discovery/discovered.js';
import { Mark } from '../common/discovery/mark.js';
import type { Job } from './data/job.schema.js';
import type { JobFields } from './dto/jobs.dto.js';
import { declareJob, jobKinds, type JobKind, type BgJobType } from './job-kind.js';

/** What a handler may do besides its work. */
export interface JobContext {
  /** Aborts when the lease was lost or the process stops: give up at the next safe point. */
  readonly signal: AbortSignal;
  /** Keeps a line with the job. */
  log(message: string): Promise<void>;
}

/** A room's work of one job type. */
export interface JobHandler {
  /** Jobs of this type that one process runs at a time. */
  readonly concurrency: number;
  /** When the job comes by itself: a cron expression in UTC. */
  readonly cron?: string;
  /** Runs of one attempt; further ones wait 1 s, 2 s, 4 s … up to an hour. */
  readonly maxTries: number;
  /** Idempotent: after a crash it is called again. A throw is a failed run. */
  run(job: Job, context: JobContext): Promise<void>;
  /** Called once when the attempt has failed for good. */
  failed?(job: Job, error: unknown): Promise<void>;
  /** Whether a failed job can be started again now; throws the contract's error if not. */
  checkRetry?(job: Job): Promise<void>;
}

const HANDLERS = new Mark<BgJobType, JobHandler>();

/** The class does the jobs of this kind. */
export function HandlesJob<B extends JobFields>(kind: JobKind<B>): ReturnType<typeof HANDLERS.onClass> {
  declareJob(kind);
  return HANDLERS.onClass(kind.type);
}

/** What rooms do for jobs: one handler per type. */
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

import { Injectable } from '@nestjs/common';
import type { Job } from './data/job.schema.js';
import type { BgJobType } from './dto/bg-job-type.js';

/** What a handler may do besides its work. */
export interface JobContext {
  /** Aborts when the lease was lost or the process stops: give up at the next safe point. */
  readonly signal: AbortSignal;
  /** Keeps a line with the job. */
  log(message: string): Promise<void>;
}

/** A room's work of one job type. */
export interface JobHandler {
  readonly type: BgJobType;
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

/** Where rooms register what they do for jobs; they do so in `onModuleInit`. */
@Injectable()
export class JobHandlers {
  private readonly handlers = new Map<string, JobHandler>();

  register(handler: JobHandler): void {
    if (this.handlers.has(handler.type)) throw new Error(`two handlers for ${handler.type}`);
    this.handlers.set(handler.type, handler);
  }

  get(type: string): JobHandler | undefined {
    return this.handlers.get(type);
  }

  all(): JobHandler[] {
    return [...this.handlers.values()];
  }
}

import type {
  ControlResult,
  CrawlJobSpec,
  EventBatch,
  JobId,
  JobObservation,
  QueueWindow,
} from './crawl-driver.types.js';
import type { DuplexWebSocket } from './duplex-websocket.js';

/**
 * Runs crawls and QA runs for the supervisor, which alone owns state, quotas and accounting (crawling §14).
 *
 * All commands are idempotent and return before their effect is there: results are seen through `observe`. Nothing is
 * lost when the supervisor restarts: events stay until acknowledged. An unknown run answers `not_found`; `unavailable`
 * means the run may exist and its control channel cannot be reached now.
 */
export abstract class CrawlDriver {
  /** The value of CRAWL_DRIVER that chose this adapter. */
  abstract readonly kind: string;

  /** Whether crawls use the dedupe index of their collection: they wait then until it is ready. Contract: crawling §13. */
  readonly usesDedupeIndex: boolean = false;

  /** How many instances `ensure` should be asked for: containers ceil(windows / windowsPerInstance); local, fake 1. */
  abstract instanceCount(spec: CrawlJobSpec): number;

  /**
   * Called each tick with the wanted number of instances: creates what is missing, applies a changed `browserWindows`.
   * 0 keeps the run's state only. Instances that exited 0 stay down unless the run was resumed or rescaled or
   * `restart` is set, which also makes running instances read the new config; other exits are restarted with backoff.
   */
  abstract ensure(spec: CrawlJobSpec, instances: number, opts: { restart?: boolean }): Promise<void>;

  abstract observe(id: JobId): Promise<JobObservation>;

  /**
   * Up to `max` undelivered events, at least once, order per type preserved. A `file` is in the object store under its
   * key before it is handed over, and the driver's own copy stays until the ack. The same batch comes again until it is
   * acknowledged.
   */
  abstract drain(id: JobId, max: number): Promise<EventBatch>;

  /** Graceful: finish pages in flight, pack, upload, then report `done`. */
  abstract requestStop(id: JobId): Promise<ControlResult>;

  /** The same for one instance, to scale down. */
  abstract requestStopInstance(id: JobId, index: number): Promise<ControlResult>;

  /** Forgets the stop and status entries of an instance given up. */
  abstract releaseInstance(id: JobId, index: number): Promise<void>;

  /** Discards: nothing more is uploaded; reports `canceled`. */
  abstract cancel(id: JobId): Promise<ControlResult>;

  /** Uploads what exists, reports `interrupted`, exits 0; the queue stays. */
  abstract pause(id: JobId): Promise<ControlResult>;

  /** Lifts a pause; the next `ensure` goes on where the queue was. */
  abstract clearPause(id: JobId): Promise<ControlResult>;

  /** URLs that match leave the queue and count as excluded. */
  abstract addExclusion(id: JobId, regex: string): Promise<ControlResult>;

  abstract removeExclusion(id: JobId, regex: string): Promise<ControlResult>;

  /** A window of the queue in crawl order; zeros when it cannot be read. */
  abstract queue(id: JobId, offset: number, count: number): Promise<QueueWindow>;

  /**
   * Live frames in the message format of crawling §5.11. `index` is the one of the URL (0 … ceil(windows / windowsPerInstance)
   * − 1), also where one instance holds all windows. Null when there is nothing to watch.
   */
  abstract screencast(id: JobId, index: number): Promise<DuplexWebSocket | null>;

  /** Called after 60 s without crawler: a store process may be stopped, its data is kept. */
  abstract suspendStore(id: JobId): Promise<void>;

  /** Ends and deletes everything of the run. Idempotent. */
  abstract remove(id: JobId): Promise<void>;

  /** Runs the driver has anything of: what no `crawl_jobs` document asks for is to be removed. */
  abstract list(): Promise<JobId[]>;

  /** Resolves when what the driver needs answers; for the readiness probe. */
  ping(): Promise<void> {
    return Promise.resolve();
  }

  /** Optional hint that a run changed and a tick is worthwhile. */
  onWake?(wake: (id: JobId) => void): void;
}

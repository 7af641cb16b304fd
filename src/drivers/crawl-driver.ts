import type {
  ControlResult,
  CrawlJobSpec,
  EventBatch,
  FindOriginals,
  JobId,
  JobObservation,
  QueueWindow,
} from './crawl-driver.types.js';
import type { OpenIndexCopy } from './index-copy.js';
import type { DuplexWebSocket } from './duplex-websocket.js';

/**
 * Runs crawls and QA runs for the supervisor, which alone owns state, quotas and accounting (crawling §14).
 *
 * All commands are idempotent and return before they take effect; results are seen through `observe`. Events stay until
 * they are acknowledged, so nothing is lost when the supervisor restarts. An unknown run answers `not_found`.
 * `unavailable` means that the run may exist and its control channel cannot be reached now.
 */
export abstract class CrawlDriver {
  /** The value of CRAWL_DRIVER that chose this adapter. */
  abstract readonly kind: string;

  /**
   * Whether crawls use the dedupe index of their collection. They then wait until it is ready. Contract: crawling §13.
   */
  readonly usesDedupeIndex: boolean = false;

  /** The number of instances to ask `ensure` for: containers ceil(windows / windowsPerInstance); local and fake 1. */
  abstract instanceCount(spec: CrawlJobSpec): number;

  /**
   * Creates what is missing and applies a changed `browserWindows`; it is called each tick with the wanted number of
   * instances. With 0 only the run's state is kept. Instances that exited 0 stay down unless the run was resumed or
   * rescaled, or `restart` is set. `restart` also makes running instances read the new config. Instances with other
   * exits are restarted with backoff.
   */
  abstract ensure(spec: CrawlJobSpec, instances: number, opts: { restart?: boolean }): Promise<void>;

  abstract observe(id: JobId): Promise<JobObservation>;

  /**
   * Hands over up to `max` undelivered events, at least once, in order for each type. A `file` is in the object store
   * under its key before it is handed over. The driver's own copy stays until the acknowledgement. The same batch comes
   * again until it is acknowledged.
   */
  abstract drain(id: JobId, max: number): Promise<EventBatch>;

  /** Stops gracefully: the run finishes pages in flight, packs, uploads, then reports `done`. */
  abstract requestStop(id: JobId): Promise<ControlResult>;

  /** Stops one instance gracefully, to scale down. */
  abstract requestStopInstance(id: JobId, index: number): Promise<ControlResult>;

  /** Deletes the stop and status entries of an instance that was given up. */
  abstract releaseInstance(id: JobId, index: number): Promise<void>;

  /** Discards the run: nothing more is uploaded, and it reports `canceled`. */
  abstract cancel(id: JobId): Promise<ControlResult>;

  /** Pauses the run: it uploads what it has, reports `interrupted` and exits 0. The queue stays. */
  abstract pause(id: JobId): Promise<ControlResult>;

  /** Lifts a pause. The next `ensure` continues where the queue was. */
  abstract clearPause(id: JobId): Promise<ControlResult>;

  /** Adds an exclusion. URLs that match leave the queue and count as excluded. */
  abstract addExclusion(id: JobId, regex: string): Promise<ControlResult>;

  abstract removeExclusion(id: JobId, regex: string): Promise<ControlResult>;

  /** A window of the queue in crawl order. Its numbers are zero when it cannot be read. */
  abstract queue(id: JobId, offset: number, count: number): Promise<QueueWindow>;

  /**
   * Live frames in the message format of crawling §5.11. `index` is the one of the URL (0 … ceil(windows /
   * windowsPerInstance) − 1), also where one instance holds all windows. Null when there is nothing to watch.
   */
  abstract screencast(id: JobId, index: number): Promise<DuplexWebSocket | null>;

  /** Stops a store process, if there is one; its data is kept. It is called after 60 s without a crawler. */
  abstract suspendStore(id: JobId): Promise<void>;

  /** Ends and deletes everything of the run. Idempotent. */
  abstract remove(id: JobId): Promise<void>;

  /** Runs of which the driver has anything. Those that no `crawl_jobs` document asks for have to be removed. */
  abstract list(): Promise<JobId[]>;

  /** Resolves when the services that the driver needs answer; it is for the readiness probe. */
  ping(): Promise<void> {
    return Promise.resolve();
  }

  /** Takes a callback for hints that a run changed and a tick is worthwhile. A driver may lack it. */
  onWake?(wake: (id: JobId) => void): void;

  /** Takes the function that answers which bodies are stored already. A driver with `openIndexCopy` lacks it. */
  onOriginals?(find: FindOriginals): void;

  /** Opens what crawlers read by themselves instead of asking, to be filled. Crawls wait until it is (crawling §13). */
  readonly openIndexCopy?: OpenIndexCopy | undefined;
}

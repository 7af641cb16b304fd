import type { InstanceStatus, OriginalCapture } from '../../crawler/protocol.js';
import type { PresignedResource } from '../storage/presigned-files.js';

/** The shapes that pass through the crawl driver port (crawling §14). Sizes are bytes, times are UTC. */

/** A crawl id or a QA run id (crawling §1.4). */
export type JobId = string;

/** The storage of a run's files. */
export interface RunStorage {
  readonly ref: { name: string; custom: boolean };
  /** `<oid>/`, or empty for a custom storage; QA runs append `qa/`. A file's key is `keyPrefix` + its name. */
  readonly keyPrefix: string;
  /**
   * S3 address of the storage, for the container drivers only. It is absent when the store is not S3; then only the
   * local and fake drivers can run.
   */
  readonly s3?: { endpointUrl: string; accessKey: string; secretKey: string; region: string };
}

/**
 * One WACZ of a QA run's source crawl, as the API shows it. Its `path` is absolute, for the crawler's network. A WACZ
 * that is `fromDependency` is used for replay only: its pages are not compared.
 */
export interface QaResource extends PresignedResource {
  /** Whether the storage may be fetched from public addresses alone. */
  readonly guarded?: boolean;
}

/** The proxy that a run's traffic uses. `url` may carry credentials. */
export interface RunProxy {
  readonly id: string;
  readonly url: string;
  readonly hasPrivateKey: boolean;
  readonly hasHostKey: boolean;
  /** The keys themselves, for a driver that has no own place for them. */
  readonly sshPrivateKey?: string;
  readonly sshHostKey?: string;
}

/**
 * All that a driver needs for a run. It is built anew for each `ensure`. It carries secrets, so it is never stored or
 * logged whole.
 */
export interface CrawlJobSpec {
  readonly jobId: JobId;
  /** Id of the crawl; for a QA run, of its source crawl. */
  readonly crawlId: string;
  readonly kind: 'crawl' | 'qa';
  readonly oid: string;
  readonly cid: string;
  readonly userId: string;
  /** Image of the crawler channel. */
  readonly image: string;
  readonly imagePullPolicy: string;
  /** The workflow's config in the form of crawling §14.7. Its page limit is already clamped by quota. */
  readonly config: Record<string, unknown>;
  readonly qaSource?: { resources: QaResource[] };
  readonly browserWindows: number;
  /** NUM_BROWSERS: windows of one container. The watch index of a local run counts in units of it too. */
  readonly windowsPerInstance: number;
  /** Whether the run needs no persistent scratch space (crawling §4.5). */
  readonly singlePage: boolean;
  readonly storage: RunStorage;
  /** Template of WACZ names (crawling §14.1), e.g. `@ts-@hostsuffix.wacz`. */
  readonly storageFilename: string;
  readonly warcPrefix: string;
  /**
   * Profile of the run. `key` is relative to `<oid>/`, e.g. `profiles/profile-<uuid>.tar.gz`. `save`: it is written
   * back on success (crawling §14.10).
   */
  readonly profile?: { key: string; save: boolean };
  readonly proxy?: RunProxy;
  /** Presigned URL of the seed file. */
  readonly seedFileUrl?: string;
  /** Whether the seed file is in a storage that is fetched from public addresses alone. */
  readonly isSeedFileGuarded?: boolean;
  /** Collection whose index tells this crawl what is stored already. */
  readonly dedupeCollectionId?: string;
  /** Redis that holds a copy of that index. The container drivers find it themselves. */
  readonly dedupeIndexUrl?: string;
}

/** What a crawl asks the index of its collection. */
export interface OriginalsQuestion {
  readonly oid: string;
  readonly crawlId: string;
  readonly collectionId: string;
  /** Digests of decoded bodies as `sha256:<hex>`, 1 to 500. */
  readonly digests: readonly string[];
  /** Whether `isPage` is wanted of each original. */
  readonly asksPages?: boolean;
}

/** An earlier capture of a body in another item. What an answer names stays replayable as long as the crawl needs it. */
export type Original = OriginalCapture;

/** Finds originals; digests without one are left out. A failure means that the crawl captures the body whole. */
export type FindOriginals = (question: OriginalsQuestion) => Promise<Original[]>;

/** `pending`: the instance is wanted and has no place yet; `backoff`: it waits to be restarted after a crash. */
export type InstancePhase = 'pending' | 'running' | 'backoff' | 'exited' | 'evicted';

export interface InstanceObservation {
  readonly index: number;
  phase: InstancePhase;
  status?: InstanceStatus;
  startedAt?: Date;
  exitedAt?: Date;
  /** Exit code of crawling §14.8; 137 with `oom` for an instance that was killed for memory. */
  exitCode?: number;
  oom?: boolean;
  /** Browser windows of this instance. */
  workers: number;
  /** Bytes collected and not yet registered as a file. */
  readonly pendingBytes: number;
  readonly storageBytes?: number;
  memoryBytes?: number;
}

export interface JobObservation {
  /** False for a run that the driver does not know: it never started, or its state was lost. */
  readonly exists: boolean;
  /** Whether the control channel is reachable. */
  readonly storeUp: boolean;
  readonly instances: InstanceObservation[];
  /** Set while only a free place is missing: the setting that would give one, in words for the user. */
  readonly capacityWait?: string;
  /** URLs found so far, and pages finished. */
  readonly found: number;
  readonly done: number;
  readonly rateLimited: boolean;
  /** Why the run failed: `not_logged_in`, or a text of the crawler's own. */
  readonly failReason?: string;
  /** Ids of the crawls that this crawl's revisit records refer to. */
  readonly requiredCrawls: string[];
  /** The saved profile, once it was written back; `modified` is ISO 8601. */
  readonly profileUpload?: { size: number; hash: string; modified: string };
}

/** A page as the crawler reports it (crawling §14.6). */
export interface CrawlerPage {
  readonly id: string;
  readonly url: string;
  readonly title?: string;
  /** 0 failed, 1 content loaded, 2 full page loaded, 3 extraction done, 4 behaviors done. */
  readonly loadState: number;
  /** Time of the page in ISO 8601, with milliseconds. */
  readonly ts: string;
  readonly mime?: string;
  readonly status?: number;
  readonly seed?: boolean;
  readonly depth?: number;
  readonly favIconUrl?: string;
  /** Base name of the WACZ that holds the page. */
  readonly filename?: string;
  /** Result of the comparison; only QA runs have it. */
  readonly comparison?: PageComparison;
}

/** Result of comparing a page's replay with its crawl. Matches are from 0 to 1. */
export interface PageComparison {
  readonly screenshotMatch?: number;
  readonly textMatch?: number;
  readonly resourceCounts?: { crawlGood: number; crawlBad: number; replayGood: number; replayBad: number };
}

/**
 * A file that is in the object store. `filename` is its key, or the full URL for container drivers (crawling §14.6).
 */
export interface FileEvent {
  readonly type: 'file';
  readonly filename: string;
  readonly size: number;
  /** SHA-256, hex. */
  readonly hash: string;
  readonly completed?: boolean;
}

export interface PageEvent {
  readonly type: 'page';
  readonly page: CrawlerPage;
}

/**
 * A JSON log line (crawling §14.6). With `seq` its id is UUIDv5(jobId, seq), so it may be handed over twice. Without
 * `seq` it may be stored twice.
 */
export interface LogEvent {
  readonly type: 'error' | 'behavior';
  readonly line: string;
  readonly seq?: number;
}

export type DriverEvent = FileEvent | PageEvent | LogEvent;

export interface EventBatch {
  readonly events: DriverEvent[];
  /** Tells the driver that all events of the batch are stored. Until then it hands them over again. Idempotent. */
  ack(): Promise<void>;
}

export type ControlResult = 'ok' | 'not_found' | 'unavailable';

/** A window of a run's queue in crawl order. */
export interface QueueWindow {
  readonly total: number;
  readonly urls: string[];
}

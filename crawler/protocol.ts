import type { SignedData, ToSign } from '../formats/wacz/signed-data.js';
import type { InputEvent } from './input-event.js';
import type { WorkflowConfig } from './workflow-config.js';

export type { InputEvent };
export type { SeedConfig, SeedScopeType, WorkflowConfig } from './workflow-config.js';

/**
 * The messages between the API process and the embedded crawler, and the files they share. Types and constants only.
 * Both sides import this file and names.ts, and nothing else of the other. Source: crawler §3, crawling §14.
 *
 * Every message is `{v: 1, t, ...}`; a receiver ignores an unknown `t`. The child is forked with `serialization:
 * 'advanced'`, its working directory set to the run's directory.
 */
export const PROTOCOL_VERSION = 1;

/** Exit codes by reason; crawling §14.8 says how the supervisor reads them. */
export const EXIT_CODES = {
  finished: 0,
  stopped: 0,
  paused: 0,
  canceled: 0,
  /** No page succeeded. */
  failed: 9,
  /** A content check failed; `failReason` says which. */
  content_check: 9,
  config_refused: 4,
  browser_crashed: 10,
  /** `quit` was asked for: state is kept, nothing is packaged. */
  quit: 11,
  /** The IPC channel closed: state is kept, nothing is packaged. */
  disconnected: 11,
  /** The queue in Redis is gone. The crawl starts from its seeds again. */
  store_lost: 8,
  disk_use: 16,
  out_of_space: 3,
  rate_limited: 18,
  proxy: 21,
  error: 1,
} as const;

export type ExitReason = keyof typeof EXIT_CODES;

/** The exit reason for each message that ends a run. */
export const ASKED_ENDINGS = { pause: 'paused', stop: 'stopped', quit: 'quit', cancel: 'canceled' } as const;

/** The `InstanceStatus` the child leaves behind for each exit reason (crawling §14.8). */
export const EXIT_STATUS: Readonly<Record<ExitReason, InstanceStatus>> = {
  finished: 'done',
  stopped: 'done',
  paused: 'interrupted',
  canceled: 'canceled',
  failed: 'failed',
  content_check: 'failed',
  config_refused: 'failed',
  browser_crashed: 'interrupted',
  quit: 'interrupted',
  disconnected: 'interrupted',
  store_lost: 'interrupted',
  disk_use: 'interrupted',
  out_of_space: 'interrupted',
  rate_limited: 'interrupted',
  proxy: 'interrupted',
  error: 'interrupted',
};

/** Names inside the run's working directory `<DATA_DIR>/work/<jobId>/`. */
export const WORK_FILES = {
  /** The `CrawlerConfig` as JSON. The driver writes it with mode 0600. */
  config: 'config.json',
  /** Append-only queue events (`StateEntry`). A run with this file can be resumed. */
  state: 'state.jsonl',
  /** Append-only `JournalEntry` lines, written before the message of the same `seq` is sent. */
  events: 'events.jsonl',
  /** Decimal byte offset into `events.jsonl` up to which the driver has acked; only the driver writes it. */
  ack: 'events.ack',
  cdx: 'cdx.jsonl',
  pages: 'pages.jsonl',
  /** User-data directory of the browser. */
  profileDir: 'profile',
  archiveDir: 'archive',
  logsDir: 'logs',
  /** Finished files: `<file>` and `<file>.json` (an `OutputFile`). The driver deletes them after its ack. */
  outDir: 'out',
  /** Browser profile to start from. The driver puts it there. */
  profileArchive: 'profile.tar.gz',
  /** Seed list to start from, one URL a line. The driver puts it there. */
  seedFile: 'seeds.txt',
} as const;

/** The status that the crawler reports about itself (crawling §14). */
export type InstanceStatus =
  | 'running'
  | 'pending-wait'
  | 'generate-wacz'
  | 'uploading-wacz'
  | 'generate-cdx'
  | 'generate-warc'
  | 'done'
  | 'interrupted'
  | 'failed'
  | 'canceled';

/** An upstream proxy for all traffic of the run: http(s)://, socks5:// or ssh://; may carry a user and password. */
export interface ProxyConfig {
  readonly url: string;
  sshPrivateKeyFile?: string;
  sshKnownHostsFile?: string;
}

export interface CrawlerConfigBase {
  readonly jobId: string;
  /** Absolute path of the working directory; all relative paths below start there. */
  readonly dir: string;
  /** Chromium executable; absent: looked up on PATH. */
  readonly chromiumPath?: string;
  /** Lets the guard proxy open private and loopback addresses (`ALLOW_PRIVATE_ADDRESSES` holds `crawls`). */
  readonly allowPrivate: boolean;
  /** Private addresses, or ranges as `<address>/<bits>`, that are open although other private ones are not. */
  readonly allowAddresses?: string[];
  readonly proxy?: ProxyConfig;
  /** Whether the run starts from `WORK_FILES.profileArchive`. */
  readonly hasProfile?: boolean;
  /**
   * Soft memory limit of the browser's processes, bytes. Above it the browser restarts between pages. Far above it the
   * largest page is ended at once.
   */
  readonly memoryLimitBytes?: number;
  /** Whether the hash of each WACZ is sent to be signed, with `askSignature`. */
  readonly asksSignatures?: boolean;
}

export interface CrawlModeConfig extends CrawlerConfigBase {
  readonly mode: 'crawl';
  readonly config: WorkflowConfig;
  /** Whether `WORK_FILES.seedFile` exists (crawling §14.7, `seedFile`). */
  readonly hasSeedFile?: boolean;
  /** Browser windows to start with, 1 or more. */
  readonly windows: number;
  /** File name template of crawling §14.1, for example `@ts-@hostsuffix.wacz`. */
  readonly storageFilename: string;
  readonly warcPrefix: string;
  /** True: a crawl that ends well writes its browser profile back, as a `profile` message and file. */
  readonly saveProfile?: boolean;
  /** A WACZ is closed and packed at this many bytes of WARC. */
  readonly rolloverBytes: number;
  /** A WACZ is closed and packed after this many seconds; 0: never. */
  readonly sessionSeconds: number;
  /** Most bytes kept of a response; a longer one is marked as truncated. 4 GiB when absent. */
  readonly maxResourceBytes?: number;
  /** Percent of the file system in use at which the crawl ends with `disk_use`; 0: not checked. */
  readonly diskUsePercent: number;
  /** Rate-limited pages in a row after which the crawl ends with `rate_limited`; 0: never. */
  readonly rateLimitThreshold: number;
  /** How long a page is kept for an unanswered request of its own, seconds. */
  readonly requestWaitSeconds: number;
  readonly title?: string;
  /** Whether bodies that earlier items of a collection hold are asked for, with `originals`, and referred to. */
  readonly asksOriginals?: boolean;
  /** Present in a container: the run's instances share a queue in Redis. */
  readonly shared?: SharedQueueConfig;
}

export interface SharedQueueConfig {
  readonly redisUrl: string;
  /** This instance's number, from 0. */
  readonly index: number;
}

/** One WACZ of the crawl under review: a local path, or a URL that the child fetches in ranges by itself. */
export interface QaSource {
  readonly name: string;
  readonly path?: string;
  readonly url?: string;
  readonly sizeBytes: number;
  /** True: the file serves replay only, its pages are not compared (crawling §14.9). */
  readonly fromDependency?: boolean;
  /** True when the URL is on a storage that an org named. It may not lead into private networks. */
  readonly guarded?: boolean;
}

export interface QaModeConfig extends CrawlerConfigBase {
  readonly mode: 'qa';
  readonly config: WorkflowConfig;
  readonly windows: number;
  readonly storageFilename: string;
  readonly warcPrefix: string;
  readonly rolloverBytes: number;
  readonly sources: QaSource[];
  readonly title?: string;
}

export interface ProfileModeConfig extends CrawlerConfigBase {
  readonly mode: 'profile';
  readonly url: string;
  readonly userAgent?: string;
  readonly lang?: string;
}

export type CrawlerConfig = CrawlModeConfig | QaModeConfig | ProfileModeConfig;
export type CrawlerMode = CrawlerConfig['mode'];

/** A finished page (crawling §14.6). `ts`: ISO time with milliseconds. `seed`: present and true at depth 0. */
export interface PageRow {
  readonly id: string;
  readonly url: string;
  readonly title?: string;
  /** 0 failed, 1 content loaded, 2 loaded, 3 extracted, 4 behaviors done. */
  readonly loadState: 0 | 1 | 2 | 3 | 4;
  readonly ts: string;
  readonly mime?: string;
  readonly status?: number;
  readonly seed?: true;
  readonly depth: number;
  readonly favIconUrl?: string;
  /** Name of the WACZ that holds the page. */
  readonly filename: string;
}

export interface QaComparison {
  /** 0..1 */
  screenshotMatch?: number;
  /** 0..1 */
  textMatch?: number;
  readonly resourceCounts: { crawlGood: number; crawlBad: number; replayGood: number; replayBad: number };
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'interrupt' | 'fatal';

/** A log line (crawling §14.6). `timestamp`: ISO time with milliseconds. */
export interface LogLine {
  readonly timestamp: string;
  readonly logLevel: LogLevel;
  readonly context: string;
  readonly message: string;
  readonly details: Record<string, unknown>;
}

/** An earlier capture of the same body in another item. */
export interface OriginalCapture {
  /** `sha256:<hex>` of the decoded body. */
  readonly digest: string;
  readonly url: string;
  /** Time of the capture in ISO 8601, with milliseconds where they are known. */
  readonly date: string;
  /** Bytes of its record in the WACZ. */
  readonly size: number;
  readonly itemId: string;
  /** The WACZ that holds it. `name` is the one of `resources` in replay.json, `hash` SHA-256 in hex. */
  readonly wacz: { readonly name: string; readonly hash: string; readonly size: number };
  /** Whether the item lists the address as a page that has loaded. Absent where nobody looked. */
  readonly isPage?: boolean;
}

/** A finished file in `out/`; the same object is in `out/<file>.json`. `hash`: sha256, lower-case hex. */
export interface OutputFile {
  readonly kind: 'wacz' | 'profile';
  readonly file: string;
  readonly size: number;
  readonly hash: string;
  /** Pages listed in the WACZ; 0 for a profile. */
  readonly pages: number;
  /** ISO time at which the file was made. */
  readonly modified: string;
  /** Files in `archive/` that it contains. They are deleted a moment later. */
  readonly warcs?: string[];
}

/**
 * One line of `events.jsonl`. `seq` counts from 1 over the life of the run; a log line's id is UUIDv5(jobId, seq). The
 * stored list of a log line is `error` for the levels error, interrupt and fatal, `behavior` otherwise (crawling §14.5,
 * keys `:e` and `:b`).
 */
export type JournalEntry =
  | { seq: number; t: 'page'; row: PageRow }
  | { seq: number; t: 'qaPage'; row: PageRow; comparison: QaComparison }
  | { seq: number; t: 'log'; list: 'error' | 'behavior'; line: LogLine }
  /** From now on the crawl needs another item: it refers to bodies that this holds. */
  | { seq: number; t: 'original'; itemId: string }
  | { seq: number; t: 'wacz'; file: OutputFile }
  | { seq: number; t: 'profile'; file: OutputFile };

/** Counters, sent every 2 s and at the end. */
export interface CrawlerStats {
  readonly found: number;
  readonly done: number;
  readonly failed: number;
  /** Bytes in `archive/` and `out/`. */
  readonly pendingBytes: number;
  readonly rateLimited: boolean;
  /** How long a rate limit is believed without a new sign, ms; absent without a limit. */
  readonly rateLimitMs?: number;
  readonly failReason?: string;
  readonly windows: number;
  /** Resident memory of the child and its browser, bytes. */
  readonly memoryBytes?: number;
}

type Message<T extends string, P = unknown> = { v: typeof PROTOCOL_VERSION; t: T } & P;

export type ToApi =
  | Message<'hello', { pid: number; browserVersion: string }>
  | Message<'state', { status: InstanceStatus }>
  | Message<'stats', CrawlerStats>
  | (JournalEntry & { v: typeof PROTOCOL_VERSION })
  /** A screencast frame: base64 PNG in crawl mode, base64 JPEG in profile mode; `id` is the window's index. */
  | Message<'frame', { id: number; url: string; data: string; width: number; height: number }>
  /** A window closed, so its last frame is stale. */
  | Message<'frameClosed', { id: number }>
  | Message<'reply', Reply>
  /** Asks which of the digests earlier items hold; answered by `originals` of the same `rid`. */
  | Message<'askOriginals', { rid: number; digests: string[] }>
  /** Asks to sign a package; answered by `signature` of the same `rid`. */
  | Message<'askSignature', { rid: number } & ToSign>
  | Message<'exit', { reason: ExitReason; failReason?: string }>;

/** Answer to a message that carried `rid`; `error` is set when it failed. */
export type Reply = { rid: number; error?: string } & (
  | { kind: 'queue'; total: number; urls: string[]; matched: string[] }
  | { kind: 'ping'; origins: string[]; url: string; title: string }
  | { kind: 'navigate' }
  | { kind: 'tunnel'; socksUrl: string }
  | { kind: 'commit'; file: OutputFile; origins: string[] }
  | { kind: 'error' }
);

export type ToChild =
  /** `packageOnly`: no browser starts; the child packs the directory's content and exits with this reason. */
  | Message<'start', { config: CrawlerConfig; resume: boolean; packageOnly?: 'stopped' | 'paused' }>
  | Message<'pause'>
  /** Ends gracefully: finishes pages in flight (30 s at most), packs, waits until stored, exits `stopped`. */
  | Message<'stop'>
  /** Finishes pages in flight, closes the writers, packs nothing, exits `quit`. */
  | Message<'quit'>
  | Message<'cancel'>
  | Message<'setWindows', { n: number }>
  | Message<'exclude', { add: boolean; regex: string }>
  | Message<'cast', { on: boolean }>
  /** `regex`: `matched` of the reply lists the URLs of the page [offset, offset+count) that match it. */
  | Message<'queue', { rid: number; offset: number; count: number; regex?: string }>
  /** Quality checks: new URLs of the files, before the first ones expire. */
  | Message<'sources', { sources: QaSource[] }>
  /** What earlier items hold of the digests asked for; nothing when the index can't be asked. */
  | Message<'originals', { rid: number; found: OriginalCapture[] }>
  /** `signed` is null when nobody signs, or nobody can now. */
  | Message<'signature', { rid: number; signed: SignedData | null }>
  /** The driver has stored `out/<file>`. */
  | Message<'stored', { file: string }>
  /** For the tunnel program only: opens the way to an ssh proxy, once. */
  | Message<'tunnel', { rid: number; proxy: ProxyConfig }>
  /** Profile mode: */
  | Message<'input', { event: InputEvent }>
  | Message<'navigate', { rid: number; url: string }>
  | Message<'ping', { rid: number }>
  /** Packs the profile to `out/` and announces it as `profile`; afterwards the browser continues. */
  | Message<'commit', { rid: number }>;

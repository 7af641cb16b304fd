import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PROTOCOL_VERSION,
  WORK_FILES,
  type CrawlerStats,
  type CrawlModeConfig,
  type ExitReason,
  type WorkflowConfig,
  type JournalEntry,
  type OriginalCapture,
  type PageRow,
  type ToApi,
  type ToChild,
} from '../../crawler/protocol.js';
import { builtCrawler } from './build-crawler.js';
import { eventually } from './eventually.js';
import { faultsOfArchive } from './replayed.js';

type Body<M> = M extends { v: unknown } ? Omit<M, 'v'> : never;
type StartConfig = Extract<ToChild, { t: 'start' }>['config'];

export const RUN_ID = 'manual-20201121080000-abcdef01-234';

/** Answers a question for originals; null: leaves it without an answer. */
export type FindOriginals = (digests: readonly string[]) => OriginalCapture[] | null;

/** A config of a small crawl; `dir` is a new folder below the system's temporary one. */
export function crawlConfig(config: WorkflowConfig, over: Partial<CrawlModeConfig> = {}): CrawlModeConfig {
  return {
    mode: 'crawl',
    jobId: RUN_ID,
    dir: over.dir ?? mkdtempSync(join(tmpdir(), 'muniment-crawl-')),
    allowPrivate: true,
    windows: 2,
    storageFilename: '@ts-@hostsuffix.wacz',
    warcPrefix: 'org-test',
    rolloverBytes: 1_000_000_000,
    sessionSeconds: 0,
    diskUsePercent: 0,
    rateLimitThreshold: 5,
    requestWaitSeconds: 15,
    ...over,
    config: { behaviorTimeout: 20, pageLoadTimeout: 60, ...config },
  };
}

function finishedFiles(dir: string): string[] {
  const out = join(dir, WORK_FILES.outDir);
  return existsSync(out) ? readdirSync(out).filter((name) => /\.(?:wacz|tar\.gz)$/.test(name)) : [];
}

/** A forked crawler as the local driver starts it. Acks files at once unless `store` is false. */
export class CrawlerChild {
  readonly messages: ToApi[] = [];
  stats: CrawlerStats | null = null;
  private code: number | null = null;
  private exited = false;
  private nextRid = 1;

  private constructor(
    readonly process: ChildProcess,
    readonly config: StartConfig,
    private readonly store: boolean,
    private readonly originals: FindOriginals,
  ) {
    process.on('message', (message: ToApi) => this.received(message));
    process.on('exit', (code) => {
      this.code = code;
      this.exited = true;
    });
  }

  static async start(
    given: StartConfig,
    options: {
      resume?: boolean;
      packageOnly?: 'stopped' | 'paused';
      store?: boolean;
      searchPath?: string;
      /** A module that runs in the crawler's process before it. */
      beside?: string;
      originals?: FindOriginals;
    } = {},
  ): Promise<CrawlerChild> {
    // The test runner provides it; without, the crawler looks on the search path itself.
    const chromiumPath = given.chromiumPath ?? process.env['CHROMIUM_PATH'];
    const config: StartConfig = { ...given, ...(chromiumPath ? { chromiumPath } : {}) };
    const child = fork(await builtCrawler(), [], {
      serialization: 'advanced',
      cwd: config.dir,
      env: { PATH: options.searchPath ?? process.env['PATH'], HOME: config.dir },
      execArgv: options.beside ? ['--import', options.beside] : [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const crawler = new CrawlerChild(child, config, options.store ?? true, options.originals ?? (() => []));
    const { resume = false, packageOnly } = options;
    crawler.send({ t: 'start', config, resume, ...(packageOnly ? { packageOnly } : {}) });
    // The driver deletes what it has stored; tests look into the files, so a later process is told of them instead.
    if (crawler.store) for (const file of finishedFiles(config.dir)) crawler.send({ t: 'stored', file });
    return crawler;
  }

  send(message: Body<ToChild>): void {
    if (this.process.connected) this.process.send({ v: PROTOCOL_VERSION, ...message } as ToChild);
  }

  /** Sends a message with `rid` and returns its reply. */
  async ask(message: Record<string, unknown> & { t: string }): Promise<Extract<ToApi, { t: 'reply' }>> {
    const rid = this.nextRid++;
    this.send({ ...message, rid } as unknown as Body<ToChild>);
    return eventually(() => {
      const reply = this.of('reply').find((candidate) => candidate.rid === rid);
      if (!reply) throw new Error(`no reply to ${message.t}`);
      return reply;
    });
  }

  of<T extends ToApi['t']>(type: T): Extract<ToApi, { t: T }>[] {
    return this.messages.filter((message): message is Extract<ToApi, { t: T }> => message.t === type);
  }

  get rows(): PageRow[] {
    return this.of('page').map(({ row }) => row);
  }

  row(path: string): PageRow | undefined {
    return this.rows.find(({ url }) => url.endsWith(path));
  }

  /** Waits until it has ended. */
  async end(boundMs = 200_000): Promise<{ code: number | null; reason: ExitReason | undefined }> {
    await eventually(() => {
      if (!this.exited) throw new Error(`still running: ${this.rows.length} pages`);
    }, boundMs);
    return { code: this.code, reason: this.of('exit').at(-1)?.reason };
  }

  async pages(count: number, boundMs = 120_000): Promise<void> {
    await eventually(() => {
      if (this.rows.length < count) throw new Error(`${this.rows.length} of ${count} pages`);
    }, boundMs);
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }

  /** Absolute paths of the finished WACZs announced by this process. */
  get waczs(): string[] {
    return this.of('wacz').map(({ file }) => join(this.config.dir, WORK_FILES.outDir, file.file));
  }

  /** The whole journal of the job, former processes included. */
  get journal(): JournalEntry[] {
    const text = readFileSync(join(this.config.dir, WORK_FILES.events), 'utf8');
    return text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as JournalEntry] : []));
  }

  /**
   * Ends what still runs of one job and removes its directory.
   * @throws when a WACZ of it, that no test has looked at, does not stand up to the validators or does not replay
   */
  discard(): Promise<void> {
    return CrawlerChild.discardAll([this]);
  }

  /** Discards several; those of one job have one directory. The list is empty then. */
  static async discardAll(started: CrawlerChild[]): Promise<void> {
    const crawlers = started.splice(0);
    for (const crawler of crawlers) {
      if (!crawler.exited) crawler.kill();
      await crawler.end(60_000).catch(() => undefined);
    }
    const faults: string[] = [];
    for (const dir of new Set(crawlers.map(({ config }) => config.dir))) {
      const waczs = crawlers.filter(({ config }) => config.dir === dir).flatMap((crawler) => crawler.waczs);
      faults.push(...(await faultsOfArchive(waczs.filter((path) => existsSync(path)))));
      // The browser of a killed crawler writes into its folder until it has ended as well.
      await eventually(() => rmSync(dir, { recursive: true, force: true }), 60_000, 200);
    }
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  private received(message: ToApi): void {
    if (message.t === 'stats') this.stats = message;
    else this.messages.push(message);
    if (message.t === 'askOriginals') {
      const found = this.originals(message.digests);
      if (found) this.send({ t: 'originals', rid: message.rid, found });
    }
    if (!this.store) return;
    if (message.t === 'wacz' || message.t === 'profile') this.send({ t: 'stored', file: message.file.file });
  }
}

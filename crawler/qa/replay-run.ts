import { join, resolve } from 'node:path';
import { ZipArchive } from '../../formats/zip/zip-archive.js';
import { Condition } from '../base/condition.js';
import { delay, errorText, withTimeout } from '../base/time.js';
import { chromiumVersion, findChromium, plainUserAgent } from '../browser/executable.js';
import { BrowserCrashed, BrowserPool } from '../browser/pool.js';
import { BrowserWindow } from '../browser/window.js';
import type { Channel } from '../channel/channel.js';
import type { Logger } from '../channel/logger.js';
import { memoryBytes } from '../crawl/machine.js';
import { closeStore, openArchive, type Archive } from '../crawl/open-store.js';
import type { Environment } from '../crawl/open-tools.js';
import { Output } from '../crawl/output.js';
import { GuardProxy } from '../guard/guard-proxy.js';
import { Behaviors, behaviorSettings } from '../page/behaviors.js';
import {
  ASKED_ENDINGS,
  WORK_FILES,
  type ExitReason,
  type PageRow,
  type QaModeConfig,
  type QaSource,
  type ToChild,
} from '../protocol.js';
import { asList, compilePattern } from '../../formats/pattern/pattern.js';
import { matches } from '../scope/scope.js';
import { Comparer } from './comparer.js';
import { OnlyReplay } from './only-replay.js';
import { PageRecords } from './page-records.js';
import { QaPage, type QaVisit } from './qa-page.js';
import { ReplayServer } from './replay-server.js';
import { startReplay } from './replay-worker.js';
import { openSource, SourceUnreadable, type SourceFile } from './source-file.js';
import { pagesOf, type SourcePage } from './wacz-pages.js';

const STATS_MS = 2_000;
const PAGE_TIMEOUT_MS = 240_000;
const STOP_MS = 30_000;
const PACKED: ReadonlySet<ExitReason> = new Set(['finished', 'stopped', 'paused']);
const AT_ONCE: ReadonlySet<ExitReason> = new Set(['canceled', 'disconnected', 'browser_crashed']);

/** Runs a quality check: replays the pages of a crawl with the network cut off and compares them with the originals. */
export class ReplayRun {
  private ending: ExitReason | null = null;
  private pages: SourcePage[] = [];
  private next = 0;
  private done = 0;
  private failed = 0;
  private readonly abort = new AbortController();
  private readonly output: Output;
  private readonly changed = new Condition();
  private pool: BrowserPool | null = null;
  private server: ReplayServer | null = null;
  private readonly windows = new Map<number, BrowserWindow>();
  private casting = false;
  private replayGeneration = -1;
  private readonly records = new PageRecords();
  private preparing: Promise<void> | null = null;
  /** Current URLs by file name, newer than those of the start. */
  private readonly urls = new Map<string, string>();

  private constructor(
    private readonly config: QaModeConfig,
    private readonly channel: Channel,
    private readonly logger: Logger,
    private readonly environment: Environment,
    private readonly archive: Archive,
  ) {
    this.output = new Output(config.dir);
  }

  static async open(
    config: QaModeConfig,
    channel: Channel,
    logger: Logger,
    environment: Environment,
  ): Promise<ReplayRun> {
    return new ReplayRun(config, channel, logger, environment, await openArchive(config, channel, logger));
  }

  async run(): Promise<{ reason: ExitReason }> {
    await this.output.prepare();
    const timer = setInterval(() => void this.sendStats(), STATS_MS);
    try {
      await this.archive.segments.open(this.archive.restored.segments);
      await this.check();
      this.end('finished');
    } catch (error) {
      this.logger.log('fatal', 'general', 'Quality check failed', { error: errorText(error) });
      this.end(error instanceof BrowserCrashed ? 'browser_crashed' : 'error');
    }
    const reason = await this.conclude(this.ending ?? 'error');
    clearInterval(timer);
    await this.sendStats();
    await closeStore({ ...this.archive, logger: this.logger });
    return { reason };
  }

  async packOnly(reason: 'stopped' | 'paused'): Promise<ExitReason> {
    await this.output.prepare();
    await this.archive.segments.packLeftovers(this.archive.restored.segments);
    await this.output.allStored(() => this.ending !== null);
    await closeStore({ ...this.archive, logger: this.logger });
    return reason;
  }

  handle(message: ToChild): void {
    switch (message.t) {
      case 'pause':
      case 'stop':
      case 'quit':
      case 'cancel':
        return this.end(ASKED_ENDINGS[message.t]);
      case 'stored':
        return this.output.markStored(message.file);
      case 'signature':
        return this.archive.segments.signatures.received(message);
      case 'sources':
        for (const { name, url } of message.sources) if (url !== undefined) this.urls.set(name, url);
        return;
      case 'cast':
        this.casting = message.on;
        for (const window of this.windows.values()) void this.applyCast(window);
        return;
      case 'queue': {
        const rest = this.pages.slice(this.next).map(({ url }) => url);
        const urls = rest.slice(message.offset, message.offset + message.count);
        return this.channel.send({
          t: 'reply',
          rid: message.rid,
          kind: 'queue',
          total: rest.length,
          urls,
          matched: [],
        });
      }
      default:
        return;
    }
  }

  disconnected(): void {
    this.end('disconnected');
  }

  private end(reason: ExitReason): void {
    if (this.ending !== null && !(AT_ONCE.has(reason) && !AT_ONCE.has(this.ending))) return;
    this.ending = reason;
    if (reason !== 'finished') setTimeout(() => this.abort.abort(), AT_ONCE.has(reason) ? 0 : STOP_MS).unref();
    if (AT_ONCE.has(reason)) this.pool?.kill();
    this.changed.notify();
  }

  private async check(): Promise<void> {
    const inDir = (path: string) => resolve(this.config.dir, path);
    const urlOf = ({ name, url }: QaSource) => this.urls.get(name) ?? url;
    const files = await Promise.all(this.config.sources.map((source) => openSource(source, inDir, urlOf)));
    const own = files.filter((_file, i) => this.config.sources[i]?.fromDependency !== true);
    const archives = await Promise.all(own.map(opened));
    this.listPages((await Promise.all(archives.map(pagesOf))).flat());
    for (const archive of archives) await this.records.addSource(archive);
    this.server = new ReplayServer(files);
    await this.server.start();
    const guard = new GuardProxy(new OnlyReplay(this.server.port));
    const comparer = new Comparer();
    try {
      this.pool = await this.openPool(await guard.start());
      this.channel.send({ t: 'state', status: 'running' });
      const slots = Array.from({ length: Math.max(1, this.config.windows) }, (_, index) => this.loop(index, comparer));
      await Promise.all(slots);
    } finally {
      await this.pool?.close();
      await comparer.close();
      await guard.close();
      await this.server.close();
    }
  }

  /** Lists the HTML pages, without those that a former process of the run has compared. */
  private listPages(rows: readonly SourcePage[]): void {
    const { include, exclude, limit } = this.config.config;
    const [wanted, unwanted] = [asList(include), asList(exclude)].map((list) =>
      list.map((source) => compilePattern(source)),
    );
    const html = rows.filter(({ mime, loadState, url }) => {
      if ((mime && !/^text\/html/.test(mime)) || loadState === 0 || !/^https?:/.test(url)) return false;
      return (wanted!.length === 0 || matches(wanted!, url)) && !matches(unwanted!, url);
    });
    const unique = [...new Map(html.map((row) => [row.id, row])).values()];
    const chosen = limit && limit > 0 ? unique.slice(0, limit) : unique;
    const { over } = this.archive.restored;
    this.done = chosen.filter(({ id }) => over.has(id)).length;
    this.pages = chosen.filter(({ id }) => !over.has(id));
  }

  private async openPool(proxyUrl: string): Promise<BrowserPool> {
    const executable = await findChromium(this.config.chromiumPath, this.environment.searchPath);
    const version = await chromiumVersion(executable);
    const options = {
      executable,
      proxyUrl,
      userAgent: this.config.config.userAgent || plainUserAgent(version),
      userDataDir: join(this.config.dir, WORK_FILES.profileDir),
      ...(this.config.config.lang ? { lang: this.config.config.lang } : {}),
      webSecurity: false,
      sandbox: this.environment.sandbox,
      memoryLimitBytes: this.config.memoryLimitBytes ?? 0,
    };
    this.archive.segments.browser = `Chromium ${version}`;
    this.channel.send({ t: 'hello', pid: process.pid, browserVersion: version });
    return new BrowserPool(options, () => Promise.resolve(), this.logger);
  }

  private async loop(index: number, comparer: Comparer): Promise<void> {
    const behaviors = new Behaviors(
      { ...behaviorSettings(this.config.config), siteSpecific: false, autoclick: false },
      null,
    );
    while (this.ending === null) {
      const row = this.pages[this.next];
      if (!row) return;
      this.next++;
      for (let attempt = 0; attempt < 2 && this.ending === null; attempt++) {
        try {
          const window = await this.windowOf(index);
          const { unreadable } = this.server!;
          const services = { behaviors, comparer, records: this.records };
          const visiting = new QaPage(window, this.server!.origin, services).visit(row, this.abort.signal);
          const visit = await withTimeout(visiting, PAGE_TIMEOUT_MS, 'page');
          if (this.server!.unreadable > unreadable) throw new SourceUnreadable('the archive could not be read');
          await this.write(row, visit);
          break;
        } catch (error) {
          if (error instanceof BrowserCrashed) return this.end('browser_crashed');
          this.logger.error('pageStatus', 'Page not compared', { page: row.url, error: errorText(error) });
          this.windows.delete(index);
          if (attempt > 0) this.failed++;
          await delay(300);
        }
      }
    }
  }

  private async windowOf(index: number): Promise<BrowserWindow> {
    const pool = this.pool!;
    const browser = await pool.ready();
    const known = this.windows.get(index);
    if (known?.isUsable && this.replayGeneration === pool.generation) return known;
    const window = await BrowserWindow.open(browser, index);
    if (this.replayGeneration !== pool.generation || !this.preparing) {
      this.replayGeneration = pool.generation;
      this.preparing = startReplay(window.page, this.server!);
    }
    await this.preparing;
    this.windows.set(index, window);
    if (this.casting) await this.applyCast(window);
    return window;
  }

  private async applyCast(window: BrowserWindow): Promise<void> {
    const { channel } = this;
    if (this.casting)
      await window.startCast('png', (frame) => channel.send({ t: 'frame', id: window.index, ...frame }));
    else await window.stopCast();
  }

  /** Writes the result to the WACZ's records and to the journal before the page counts as done. */
  private async write(row: SourcePage, visit: QaVisit): Promise<void> {
    const { writer, pages, segments, state } = this.archive;
    const { comparison } = visit;
    const record = Buffer.from(JSON.stringify({ ...visit.info, comparison }, null, 2));
    await writer.resource(`urn:pageinfo:${row.url}`, 'application/json', record, row.ts);
    if (visit.text !== undefined)
      await writer.resource(`urn:text:${row.url}`, 'text/plain', Buffer.from(visit.text), row.ts);
    if (visit.view) await writer.resource(`urn:view:${row.url}`, 'image/png', visit.view, row.ts);
    if (visit.thumbnail) await writer.resource(`urn:thumbnail:${row.url}`, 'image/jpeg', visit.thumbnail, row.ts);
    const written: PageRow = { ...row, loadState: visit.loaded ? 4 : 0, filename: segments.wacz };
    await segments.sync();
    await pages.append({ ...written, comparison });
    await this.channel.journal({ t: 'qaPage', row: written, comparison });
    await this.channel.sync();
    await state.append({ t: 'done', pageId: row.id });
    this.done++;
    this.logger.info('replay', 'Page compared', { page: row.url, ...comparison });
    if (segments.bytes >= this.config.rolloverBytes) await segments.rollOver();
  }

  private async conclude(reason: ExitReason): Promise<ExitReason> {
    const { segments } = this.archive;
    if (!PACKED.has(reason)) {
      await segments.suspend();
      return reason;
    }
    if (reason === 'finished' && this.done === 0 && this.failed > 0) {
      await segments.suspend();
      return 'failed';
    }
    this.channel.send({ t: 'state', status: 'generate-wacz' });
    await segments.finish();
    if ((await this.output.waiting()).length > 0) this.channel.send({ t: 'state', status: 'uploading-wacz' });
    await this.output.allStored(() => this.ending !== null && AT_ONCE.has(this.ending));
    return this.ending ?? reason;
  }

  private async sendStats(): Promise<void> {
    const processes = (await this.pool?.browser?.processes().catch(() => [])) ?? [];
    this.channel.send({
      t: 'stats',
      found: this.pages.length + this.archive.restored.over.size,
      done: this.done,
      failed: this.failed,
      pendingBytes: await this.output.pendingBytes(),
      rateLimited: false,
      windows: this.config.windows,
      memoryBytes: await memoryBytes([process.pid, ...processes.map(({ id }) => id)]),
    });
  }
}

async function opened(file: SourceFile): Promise<ZipArchive> {
  try {
    return await ZipArchive.open(file);
  } catch (error) {
    throw new SourceUnreadable(`${file.name}: ${errorText(error)}`);
  }
}

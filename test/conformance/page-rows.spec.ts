import { cpSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { jest } from '@jest/globals';
import { AppendLog, readLog } from '../../crawler/base/append-log.js';
import { SyncedFile } from '../../crawler/base/synced-file.js';
import { Channel, type NewEntry } from '../../crawler/channel/channel.js';
import { Logger } from '../../crawler/channel/logger.js';
import type { CrawlStore } from '../../crawler/crawl/context.js';
import { closeStore, openStore } from '../../crawler/crawl/open-store.js';
import { MAX_INTERRUPTIONS } from '../../crawler/crawl/page-queue.js';
import { PageWorker } from '../../crawler/crawl/page-worker.js';
import { restoreState, type RestoredState, type StateEntry } from '../../crawler/crawl/state-log.js';
import { WORK_FILES, type ExitReason, type JournalEntry, type PageRow } from '../../crawler/protocol.js';
import { crawlConfig } from '../support/crawler-child.js';

const root = mkdtempSync(join(tmpdir(), 'page-rows-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SEED = 'https://site.test/';
const DEADLY = 'https://site.test/deadly';

/** The journal without anybody who listens. */
class JournalOnly extends Channel {
  private seq = 0;

  constructor(private readonly log: AppendLog) {
    super();
  }
  send(): void {}
  async journalQuietly(entry: NewEntry): Promise<() => void> {
    await this.log.append({ seq: ++this.seq, ...entry });
    return () => undefined;
  }
  sync(): Promise<void> {
    return this.log.sync();
  }
  onMessage(): void {}
  onDisconnect(): void {}
  close(): Promise<void> {
    return this.log.close();
  }
}

interface Process {
  store: CrawlStore;
  restored: RestoredState;
  worker: PageWorker;
  endings: ExitReason[];
  close(): Promise<void>;
}

/** A process of the crawl in this directory, without a browser: none of its pages is visited. */
async function startProcess(dir: string, failOnFailedSeed = false): Promise<Process> {
  const channel = new JournalOnly(await AppendLog.open(join(dir, WORK_FILES.events)));
  const config = crawlConfig({ seeds: [{ url: SEED }], failOnFailedSeed }, { dir });
  const { store, restored } = await openStore(config, channel, new Logger(channel));
  await store.segments.open(restored.segments);
  const endings: ExitReason[] = [];
  const worker = new PageWorker(store, null as never, (reason) => endings.push(reason));
  const close = async (): Promise<void> => {
    await store.segments.suspend();
    await closeStore(store);
    await channel.close();
  };
  return { store, restored, worker, endings, close };
}

/** The directory of a crawl whose page was in flight at one death of its process more than it may be. */
async function wornOut(url: string, seed: boolean): Promise<string> {
  const dir = mkdtempSync(join(root, 'job-'));
  const log = await AppendLog.open(join(dir, WORK_FILES.state));
  const queued = { t: 'queued', url, pageId: 'deadly', depth: seed ? 0 : 1, hops: 0, seedId: 0, at: 1 } as const;
  await log.append({ ...queued, ...(seed ? { seed } : {}) } satisfies StateEntry, { t: 'seeded', sitemaps: true });
  for (let i = 0; i <= MAX_INTERRUPTIONS; i++) await log.append({ t: 'started', pageId: 'deadly' });
  await log.close();
  return dir;
}

async function work({ store, worker }: Process): Promise<void> {
  for (let page = await store.frontier.take(); page; page = await store.frontier.take())
    await worker.process(page, null as never);
}

async function all<T>(dir: string, file: string): Promise<T[]> {
  const values: T[] = [];
  for await (const value of readLog<T>(join(dir, file))) values.push(value);
  return values;
}

const rowsOf = (dir: string): Promise<PageRow[]> => all(dir, WORK_FILES.pages);
const toldOf = async (dir: string): Promise<PageRow[]> =>
  (await all<JournalEntry>(dir, WORK_FILES.events)).flatMap((entry) => (entry.t === 'page' ? [entry.row] : []));

describe('a page that its processes died of', () => {
  afterEach(() => jest.restoreAllMocks());

  it('gets its row and is told as failed, once, wherever further processes die', async () => {
    const dir = await wornOut(DEADLY, false);
    let deaths = 0;
    // Each process gets one write further than the one before it; then all that it still tries fails.
    for (let writes = 1, done = false; !done; writes++) {
      const process = await startProcess(dir);
      const write = AppendLog.prototype.appendText;
      let left = writes;
      const spy = jest.spyOn(AppendLog.prototype, 'appendText').mockImplementation(function (this: AppendLog, text) {
        return left-- > 0 ? write.call(this, text) : Promise.reject(new Error('dead'));
      });
      done = await work(process).then(
        () => true,
        () => false,
      );
      spy.mockRestore();
      if (!done) deaths++;
      await process.close();
    }
    expect(deaths).toBeGreaterThan(3);
    expect(await rowsOf(dir)).toEqual([expect.objectContaining({ id: 'deadly', url: DEADLY, loadState: 0 })]);
    expect(await toldOf(dir)).toEqual(await rowsOf(dir));
    const process = await startProcess(dir);
    expect([process.store.frontier.found, process.store.frontier.done, process.store.frontier.failed]).toEqual([
      1, 1, 1,
    ]);
    expect(await process.store.frontier.take()).toBeNull();
    await process.close();
  });

  it('ends the crawl where no seed may fail, also when the process dies before it could', async () => {
    const dir = await wornOut(SEED, true);
    const process = await startProcess(dir, true);
    await work(process);
    expect(process.endings).toEqual(['failed']);
    await process.close();
    expect((await restoreState(dir)).failedSeed).toBe(SEED);
  });
});

describe('a page that was told', () => {
  afterEach(() => jest.restoreAllMocks());

  it('has left no link behind that a power failure takes from the queue', async () => {
    const dir = await wornOut(DEADLY, false);
    const process = await startProcess(dir);
    // What of each file is on disk for certain.
    const synced = new Map<string, number>();
    const sync = SyncedFile.prototype.sync;
    jest.spyOn(SyncedFile.prototype, 'sync').mockImplementation(async function (this: SyncedFile) {
      await sync.call(this);
      synced.set(basename(this.path), statSync(this.path).size);
    });
    const after = mkdtempSync(join(root, 'after-'));
    const { channel, frontier } = process.store;
    const tell = channel.sync.bind(channel);
    jest.spyOn(channel, 'sync').mockImplementation(async () => {
      await tell();
      cpSync(dir, after, { recursive: true });
    });
    const found = { depth: 2, hops: 0, seedId: 0, seed: false, allowHash: false };
    await frontier.add(['a', 'b'].map((name) => ({ ...found, url: SEED + name })));
    const deadly = await takeUntil(process, DEADLY);
    await process.worker.process(deadly, null as never);
    for (const name of [WORK_FILES.state, WORK_FILES.pages, WORK_FILES.events])
      truncateSync(join(after, name), synced.get(name) ?? 0);
    const restored = await restoreState(after);
    expect(restored.pending.map(({ url }) => url)).toEqual([`${SEED}a`, `${SEED}b`]);
    expect(restored.over).toEqual(new Set(['deadly']));
    expect(await rowsOf(after)).toEqual(await toldOf(after));
    await process.close();
  });

  async function takeUntil({ store }: Process, url: string) {
    for (;;) {
      const page = await store.frontier.take();
      if (page?.url === url) return page;
      if (!page) throw new Error(`${url} is not queued`);
    }
  }
});

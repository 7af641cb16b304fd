import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { processesOf } from '../../support/product.js';
import { pagesReplayed } from '../../support/replayed.js';
import { ServiceProcess } from '../../support/service-process.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

/** `SOAK_KILLS=100 npm run jest -- test/e2e/crawls/soak -i` is the whole soak; what runs by default is a sip of it. */
const KILLS = Number(process.env['SOAK_KILLS'] ?? 4);
const SEED = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
const AT_ONCE = 2;
const PAGES = 8;
/** A crawl that was hit several times waits up to 300 s between its starts. */
const END_MS = 900_000;

const FINAL = ['complete', 'failed', 'stopped_by_user', 'canceled'];
type Target = 'api' | 'child' | 'browser';
const TARGETS: readonly Target[] = ['api', 'child', 'browser'];

interface Crawl {
  id: string;
  cid: string;
  asked: 'stop' | 'cancel' | null;
  /** Pages that the service has shown: it must not lose them. */
  shown: Set<string>;
}

/** The same numbers for the same seed; which instants they fall on differs from run to run all the same. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe(`crawls whose processes are killed ${String(KILLS)} times (seed ${String(SEED)})`, () => {
  jest.setTimeout(240_000 + KILLS * 30_000 + END_MS);
  const random = randomOf(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const crawls: Crawl[] = [];
  const killed: Record<Target, number> = { api: 0, child: 0, browser: 0 };
  let service: ServiceProcess;
  let site: TestSite;
  let oid: string;

  beforeAll(async () => {
    site = await startTestSite();
    service = await ServiceProcess.open({ MAX_CONCURRENT_BROWSERS: String(AT_ONCE) });
    const { items } = await service.call<{ items: { id: string }[] }>('GET', '/orgs');
    oid = items[0]?.id ?? '';
  });

  afterAll(async () => {
    await service.close();
    await site.close();
  });

  const get = <T = any>(path: string): Promise<T> =>
    eventually(() => service.call<T>('GET', `/orgs/${oid}${path}`), 120_000);

  async function startCrawl(): Promise<void> {
    const config = { seeds: [{ url: `${site.url}/static/` }], scopeType: 'prefix', limit: PAGES, behaviors: '' };
    const { id: cid } = await eventually(
      () =>
        service.call('POST', `/orgs/${oid}/crawlconfigs/`, {
          name: `Crawl ${String(crawls.length)}`,
          config,
          browserWindows: 1,
        }),
      120_000,
    );
    // A start that was answered by a kill may have happened: the workflow knows.
    const id = await eventually(async () => {
      const { lastCrawlId } = await service.call<{ lastCrawlId: string | null }>(
        'GET',
        `/orgs/${oid}/crawlconfigs/${cid}`,
      );
      if (lastCrawlId) return lastCrawlId;
      return (await service.call<{ started: string }>('POST', `/orgs/${oid}/crawlconfigs/${cid}/run`)).started;
    }, 120_000);
    crawls.push({ id, cid, asked: null, shown: new Set() });
  }

  async function active(): Promise<Crawl[]> {
    const states = await Promise.all(crawls.map(({ id }) => get<{ finished: string | null }>(`/crawls/${id}`)));
    return crawls.filter((_crawl, i) => states[i]?.finished === null);
  }

  /** Remembers the pages the service shows now, and sometimes asks it for something. */
  async function look(running: readonly Crawl[]): Promise<void> {
    for (const crawl of running) {
      const { items } = await get<{ items: { id: string }[] }>(`/crawls/${crawl.id}/pages?pageSize=100`);
      for (const { id } of items) crawl.shown.add(id);
      if (crawl.asked !== null || random() > 0.05) continue;
      crawl.asked = pick(['stop', 'cancel'] as const);
      // Answered or not: both are repeatable, and what is asked of a crawl that has just ended is refused.
      await service.call('POST', `/orgs/${oid}/crawls/${crawl.id}/${crawl.asked}`).catch(() => undefined);
    }
  }

  async function victims(target: Target): Promise<number[]> {
    if (target === 'api') return service.isRunning ? [service.pid] : [];
    const lines = (await processesOf(service.dataDir)).filter((line) =>
      target === 'child' ? /crawler\/main\.js/.test(line) : /--user-data-dir=/.test(line) && !/--type=/.test(line),
    );
    return lines.map((line) => Number.parseInt(line, 10));
  }

  /** @returns false: nothing of the kind runs now */
  async function killOne(target: Target): Promise<boolean> {
    const pids = await victims(target);
    if (pids.length === 0) return false;
    if (target === 'api') {
      await service.kill();
      service.spawn();
      return true;
    }
    try {
      process.kill(pick(pids), 'SIGKILL');
      return true;
    } catch {
      return false; // it has just ended by itself
    }
  }

  async function expectWhole(crawl: Crawl): Promise<number> {
    const { state, fileSize, pageCount, resources } = await get(`/crawls/${crawl.id}/replay.json`);
    expect(crawl.asked === null ? ['complete', 'failed'] : FINAL).toContain(state);
    type Listed = { id: string; url: string; loadState: number };
    const { items } = await get<{ items: Listed[] }>(`/crawls/${crawl.id}/pages?pageSize=100`);
    if (state === 'failed') {
      // Its first page was hit each time it was tried: there was nothing else to visit, and nothing to keep.
      expect({ fileSize, resources }).toEqual({ fileSize: 0, resources: [] });
      expect(items.filter(({ loadState }) => loadState > 0)).toEqual([]);
      return 0;
    }
    if (state === 'canceled') {
      expect({ fileSize, resources, items }).toEqual({ fileSize: 0, resources: [], items: [] });
      return 0;
    }
    expect(items).toHaveLength(pageCount);
    if (state === 'complete') expect(new Set(items.map(({ url }) => url)).size).toBe(PAGES);
    const folder = await mkdtemp(join(tmpdir(), 'muniment-soak-'));
    const files: string[] = [];
    const archived = new Set<unknown>();
    const failed = new Set<unknown>(items.filter(({ loadState }) => loadState === 0).map(({ id }) => id));
    for (const { name, path, size } of resources as { name: string; path: string; size: number }[]) {
      const file = join(folder, name);
      files.push(file);
      await writeFile(file, await service.download(path));
      expect(await faultsOf(file)).toEqual([]);
      const wacz = new WaczFile(file);
      // A page that failed, since its browser was hit at each try, has its row alone.
      for (const { id, url } of wacz.pages) if (failed.has(id) || wacz.lines(String(url)).length > 0) archived.add(id);
      expect(wacz.members.length).toBeGreaterThan(0);
      expect(size).toBeGreaterThan(0);
    }
    if (state === 'complete') expect(await pagesReplayed(files)).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
    expect([...archived].sort()).toEqual(items.map(({ id }) => id).sort());
    expect([...crawl.shown].filter((id) => !archived.has(id))).toEqual([]);
    expect((resources as { size: number }[]).reduce((sum, { size }) => sum + size, 0)).toBe(fileSize);
    return fileSize as number;
  }

  it('end in a final state, with every page that was shown in a valid WACZ, no process left and the figures right', async () => {
    for (let kills = 0; kills < KILLS;) {
      const running = await active();
      await look(running);
      if (running.length < AT_ONCE) await startCrawl();
      // The subject is random instants, so this waits for one.
      await wait(random() * 4_000);
      const least = Math.min(...Object.values(killed));
      const target = pick(random() < 0.5 ? TARGETS : TARGETS.filter((each) => killed[each] === least));
      if (!(await killOne(target))) continue;
      killed[target] += 1;
      kills += 1;
    }
    await eventually(async () => expect(await active()).toEqual([]), END_MS, 1_000);

    let bytes = 0;
    for (const crawl of crawls) bytes += await expectWhole(crawl);
    await eventually(async () => {
      const others = (await processesOf(service.dataDir)).filter((line) => Number.parseInt(line, 10) !== service.pid);
      expect(others).toEqual([]);
    });

    const org = await eventually(() => service.call('GET', `/orgs/${oid}`));
    expect([org.bytesStored, org.bytesStoredCrawls]).toEqual([bytes, bytes]);
    let execSeconds = 0;
    for (const { id, cid } of crawls) {
      const crawl = await get(`/crawls/${id}`);
      execSeconds += crawl.crawlExecSeconds;
      const succeeded = ['canceled', 'failed'].includes(crawl.state) ? 0 : 1;
      await eventually(async () =>
        expect(await get(`/crawlconfigs/${cid}`)).toMatchObject({
          crawlAttemptCount: 1,
          crawlCount: 1,
          crawlSuccessfulCount: succeeded,
          totalSize: crawl.fileSize,
          isCrawlRunning: false,
          lastCrawlState: crawl.state,
        }),
      );
    }
    const metered = Object.values(org.crawlExecSeconds as Record<string, number>).reduce((sum, s) => sum + s, 0);
    expect(metered).toBe(execSeconds);
    // The command needs the data folder to itself.
    await service.kill('SIGTERM');
    expect(await service.check()).toMatch(/^ok +archive: /m);
    process.stderr.write(`soak: ${JSON.stringify(killed)} in ${String(crawls.length)} crawls, seed ${String(SEED)}\n`);
  });
});

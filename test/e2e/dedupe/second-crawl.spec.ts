import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { ArchiveChecks } from '../../../src/invariants/archive-checks.js';
import type { ArchivesRead } from '../../../src/invariants/archive-look.js';
import type { Violation } from '../../../src/invariants/violation.js';
import type { Item } from '../../../src/items/data/item.schema.js';
import type { ApiClient } from '../../support/api-client.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { eventually } from '../../support/eventually.js';
import { PictureSite } from '../../support/picture-site.js';
import { Player } from '../../support/player.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

const BOUND_MS = 240_000;
/** Of each picture: as much as pictures have beside what is stored of every page anew. */
const BYTES = 600_000;
/** A loaded machine answers some questions too late. Such a crawl captures whole, as it should, and says so. */
const TRIES = 4;

describe('a site that is crawled again into a collection with a dedupe index', () => {
  jest.setTimeout(4 * BOUND_MS);
  let on: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let site: PictureSite;

  beforeAll(async () => {
    await builtCrawler();
    site = await PictureSite.start({ pages: 4, pictures: 3, bytes: BYTES });
    on = await startApp({
      env: {
        CRAWL_DRIVER: 'local',
        ALLOW_PRIVATE_ADDRESSES: 'crawls',
        CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '',
      },
      schedules: true,
      realTime: true,
    });
    api = await on.admin();
    oid = await on.defaultOrgId();
  });
  afterAll(async () => {
    await on?.close();
    await site?.close();
  });

  const crawl = async (crawlId: string): Promise<any> => (await api.get(`/orgs/${oid}/crawls/${crawlId}`)).body;
  const collection = async (id: string): Promise<any> => (await api.get(`/orgs/${oid}/collections/${id}`)).body;

  /** Runs the workflow to its end, and waits until the index has the crawl. */
  async function run(cid: string, collectionId: string): Promise<any> {
    const { status, body } = await api.post(`/orgs/${oid}/crawlconfigs/${cid}/run`);
    expect(status).toBe(200);
    return eventually(
      async () => {
        const shown = await crawl(body.started as string);
        expect([shown.state, shown.dedupeStats === null]).toEqual(['complete', false]);
        expect(await collection(collectionId)).toMatchObject({ indexState: 'ready' });
        return shown;
      },
      BOUND_MS,
      200,
    );
  }

  const wasAnswered = async (crawlId: string): Promise<boolean> =>
    !JSON.stringify((await api.get(`/orgs/${oid}/crawls/${crawlId}/logs`)).body).includes('does not answer');

  /** Runs the workflow until a crawl got all its answers. @returns all crawls, that one last */
  async function answeredRun(cid: string, collectionId: string): Promise<any[]> {
    const runs: any[] = [];
    while (runs.length < TRIES) {
      runs.push(await run(cid, collectionId));
      if (await wasAnswered(runs.at(-1).id as string)) return runs;
    }
    throw new Error(`no crawl of ${String(TRIES)} got all its answers: the machine is too busy`);
  }

  async function aWorkflow(name: string): Promise<{ id: string; cid: string }> {
    const { id } = (await api.post(`/orgs/${oid}/collections`, { name })).body;
    const config = { seeds: [{ url: `${site.url}/` }], scopeType: 'prefix', behaviors: '' };
    const made = await api.post(`/orgs/${oid}/crawlconfigs/`, { name, config, dedupeCollId: id });
    expect(made.body).toMatchObject({ added: true });
    return { id: id as string, cid: made.body.id as string };
  }

  it('costs next to nothing, and says what it needs and what it saved', async () => {
    const { id, cid } = await aWorkflow('Weekly');
    expect((await collection(id)).indexState).toBe('idle');
    const first = await run(cid, id);
    expect(first).toMatchObject({ dedupeCollId: id, collectionIds: [id], requiresCrawls: [], pageCount: 4 });
    // The logo, which every page shows, is stored once.
    expect(first.dedupeStats.uniqueHashes).toBeGreaterThanOrEqual(13);
    const later = await answeredRun(cid, id);
    const last = later.at(-1);
    expect(last).toMatchObject({ requiresCrawls: [first.id], pageCount: 4 });
    expect((await crawl(first.id)).requiredByCrawls).toContain(last.id);
    // Twelve pictures and a logo.
    expect(first.fileSize).toBeGreaterThan(13 * BYTES);
    expect(last.fileSize).toBeLessThan(first.fileSize * 0.04);
    expect(last.dedupeStats.dupeUrls).toBeGreaterThanOrEqual(16);
    expect(last.dedupeStats.conservedSize).toBeGreaterThan(16 * (BYTES - 10_000));

    const all = [first, ...later];
    const sum = (of: (one: any) => number): number => all.reduce((total, one) => total + of(one), 0);
    // The last crawl is taken into the index after its end.
    const stats = {
      totalUrls: sum(({ dedupeStats }) => dedupeStats.totalUrls),
      dupeUrls: sum(({ dedupeStats }) => dedupeStats.dupeUrls),
      conservedSize: sum(({ dedupeStats }) => dedupeStats.conservedSize),
      uniqueHashes: sum(({ dedupeStats }) => dedupeStats.uniqueHashes),
      totalCrawlSize: sum(({ fileSize }) => fileSize),
      totalCrawls: all.length,
      removedCrawls: 0,
      updateProgress: 1,
    };
    await eventually(async () => expect((await collection(id)).indexStats).toMatchObject(stats));
    const needing = { collectionId: id, dedupeCollId: id, hasRequiresCrawls: true };
    const listed = (await api.get(`/orgs/${oid}/crawls`, needing)).body.items;
    expect(listed.map((one: { id: string }) => one.id)).toContain(last.id);
    expect(await on.connection.collection('item_holds').countDocuments()).toBe(0);
    expect(await picturesOf(last.id as string)).toEqual(Array(4).fill([4, 0]));
  });

  /** Downloads the crawl as one WACZ. @returns of each page in it how many pictures it shows, and how many it lacks */
  async function picturesOf(crawlId: string): Promise<[shown: number, broken: number][]> {
    const folder = await mkdtemp(join(tmpdir(), 'second-crawl-'));
    const file = join(folder, 'alone.wacz');
    const answer = await api.fetch('GET', `/orgs/${oid}/all-crawls/${crawlId}/download/wacz`);
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    expect(await faultsOf(file)).toEqual([]);
    const player = await Player.open(file);
    try {
      const found: [number, number][] = [];
      for (const { url, ts } of new WaczFile(file).pages) {
        await player.show(String(url), String(ts));
        await eventually(async () => expect(await player.textOf(String(url))).not.toBeNull(), BOUND_MS, 100);
        const complete = () => document.images.length > 0 && [...document.images].every((one) => one.complete);
        await eventually(async () => expect(await player.inPage(String(url), complete)).toBe(true), BOUND_MS, 100);
        const all = await player.inPage(String(url), () => document.images.length);
        const broken = (await player.brokenPictures(String(url))).length;
        found.push([all - broken, broken]);
      }
      return found;
    } finally {
      await player.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  it('stores what has changed, and then needs all items that it refers to', async () => {
    const { id, cid } = await aWorkflow('Changing');
    const first = await run(cid, id);
    site.changed.add('/picture-1-0.png');
    const second = await run(cid, id);
    expect(second.fileSize).toBeGreaterThan(BYTES);
    const last = (await answeredRun(cid, id)).at(-1);
    site.changed.clear();
    expect([...last.requiresCrawls].sort()).toEqual([first.id, second.id].sort());
    expect(last.fileSize).toBeLessThan(first.fileSize * 0.04);
    const path = `/orgs/${oid}/collections/${id}/dedupeIndex/delete`;
    expect((await api.post(path, { removeFromWorkflows: true })).status).toBe(200);
  });

  it('has all that the archives refer to, which their check finds out', async () => {
    const checked = async (): Promise<[Violation[], ArchivesRead]> => {
      const found: Violation[] = [];
      const read = await on.app.get(ArchiveChecks, { strict: false }).check((one) => found.push(one));
      return [found, read];
    };
    const items = on.connection.collection<Item>('crawls');
    const dependents = await items.find({ requiresCrawls: { $ne: [] } }).toArray();
    const [sound, { indexes, lines }] = await checked();
    expect(sound).toEqual([]);
    expect(indexes).toBeGreaterThan(dependents.length);
    expect(lines).toBeGreaterThan(13 * indexes);
    // Without what it requires none of a crawl's pictures would be found.
    const { _id, requiresCrawls = [] } = dependents[0]!;
    await items.deleteMany({ _id: { $in: requiresCrawls ?? [] } });
    const broken = (await checked())[0].filter(({ id }) => id === _id);
    expect(broken.map(({ field }) => field.replace(/:.*/, ''))).toEqual(
      expect.arrayContaining([expect.stringMatching(/\.wacz$/), expect.stringMatching(/^revisits whose original/)]),
    );
    expect(broken.find(({ expected }) => expected === 0)?.stored).toBeGreaterThanOrEqual(12);
  });
});

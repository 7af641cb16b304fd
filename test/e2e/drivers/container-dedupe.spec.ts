import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { builtCrawler, crawlerImage } from '../../support/build-crawler.js';
import { DockerEngine } from '../../support/docker-engine.js';
import { eventually } from '../../support/eventually.js';
import { requiresOf } from '../../support/known-originals.js';
import { PictureSite } from '../../support/picture-site.js';
import { RedisServer } from '../../support/redis-server.js';
import { faultsOfArchive, pagesReplayed } from '../../support/replayed.js';
import { startS3Server, storageEntry } from '../../support/s3-server.js';
import { ServiceProcess } from '../../support/service-process.js';
import { WaczFile } from '../../support/wacz-file.js';

const BOUND_MS = 240_000;
const REDIS_IMAGE = 'redis:7.4';
/** Of each picture: as much as pictures have beside what is stored of every page anew. */
const BYTES = 600_000;

const redis = await RedisServer.start();
const s3 = await startS3Server();
afterAll(async () => {
  await redis?.stop();
  await s3?.stop();
});

const places: [name: string, env: Record<string, string>][] = [
  ['one Redis for all crawls', {}],
  ['a Redis for each crawl', { CRAWL_REDIS_IMAGE: REDIS_IMAGE }],
];

// What is missing was said loudly by its `start`.
(redis && s3 ? describe : describe.skip).each(places)('a site crawled again in containers, with %s', (_name, env) => {
  jest.setTimeout(3 * BOUND_MS);
  let folder: string;
  let engine: DockerEngine;
  let site: PictureSite;
  let service: ServiceProcess;
  let org: string;

  beforeAll(async () => {
    const image = await crawlerImage(await builtCrawler(), { CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '' });
    engine = await DockerEngine.start({
      ...image,
      images: { [REDIS_IMAGE]: (command, address) => redis!.asImage(command, address) },
    });
    site = await PictureSite.start({ pages: 3, pictures: 3, bytes: BYTES });
    folder = await mkdtemp(join(tmpdir(), 'container-dedupe-'));
    await writeFile(join(folder, 'storages.json'), JSON.stringify([storageEntry(s3!)]));
    service = await ServiceProcess.open({
      CRAWL_DRIVER: 'docker',
      DOCKER_HOST: `unix://${engine.socketPath}`,
      CRAWL_REDIS_URL: redis!.url,
      STORAGES_JSON: join(folder, 'storages.json'),
      ALLOW_PRIVATE_ADDRESSES: 'storages',
      CRAWL_ALLOWED_ADDRESSES: '127.0.0.0/8,::1',
      OPERATOR_RESYNC_SECONDS: '1',
      ...env,
    });
    org = `/orgs/${(await service.call('GET', '/orgs?pageSize=5')).items[0].id as string}`;
  });

  afterAll(async () => {
    await service?.close();
    await engine?.close();
    await site?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the workflow to its end, and until the index has what it captured. */
  async function run(
    cid: string,
    collectionId: string,
    meanwhile?: (crawlId: string) => Promise<unknown>,
  ): Promise<any> {
    const { started } = await service.call<{ started: string }>('POST', `${org}/crawlconfigs/${cid}/run`);
    return eventually(
      async () => {
        await meanwhile?.(started);
        const shown = await service.call('GET', `${org}/crawls/${started}`);
        expect([shown.state, shown.dedupeStats === null]).toEqual(['complete', false]);
        expect(await service.call('GET', `${org}/collections/${collectionId}`)).toMatchObject({ indexState: 'ready' });
        return shown;
      },
      BOUND_MS,
      500,
    );
  }

  /** The files of the crawl, and of those that it needs. */
  async function download(crawlId: string): Promise<string[]> {
    const { resources } = await service.call('GET', `${org}/crawls/${crawlId}/replay.json?withDependencies=true`);
    const paths: string[] = [];
    for (const { name, path } of resources as { name: string; path: string }[]) {
      await writeFile(join(folder, name), await service.download(path));
      paths.push(join(folder, name));
    }
    return paths;
  }

  /** Redis forgets what the crawlers report. */
  async function needsWhatItsFilesName(cid: string, collectionId: string, original: string): Promise<void> {
    const client = new Redis(redis!.url);
    let forgotten = 0;
    const forget = async (crawlId: string) => (forgotten += await client.del(`${crawlId}:reqCrawls`));
    const third = await run(cid, collectionId, forget);
    client.disconnect();
    expect(forgotten).toBeGreaterThan(0);
    expect(third.stats.req_crawls ?? []).toEqual([]);
    expect(third.requiresCrawls).toEqual([original]);
  }

  it('costs next to nothing, says what it needs, and every page of it replays', async () => {
    const { id } = await service.call('POST', `${org}/collections`, { name: 'Weekly' });
    const config = { seeds: [{ url: `${site.url}/` }], scopeType: 'prefix', behaviors: '' };
    const { id: cid } = await service.call('POST', `${org}/crawlconfigs/`, {
      name: 'Weekly',
      config,
      dedupeCollId: id,
    });
    const first = await run(cid, id);
    expect(first).toMatchObject({ requiresCrawls: [], pageCount: 3 });
    const second = await run(cid, id);
    expect(second).toMatchObject({ requiresCrawls: [first.id], pageCount: 3 });
    expect(second.fileSize / first.fileSize).toBeLessThanOrEqual(0.04);
    expect(second.dedupeStats.dupeUrls).toBeGreaterThanOrEqual(12);
    expect((await service.call('GET', `${org}/crawls/${first.id}`)).requiredByCrawls).toEqual([second.id]);
    if (!env['CRAWL_REDIS_IMAGE']) await needsWhatItsFilesName(cid, id, first.id as string);
    const waczs = await download(second.id);
    expect(waczs).toHaveLength(2);
    const own = waczs.find((path) => requiresOf(new WaczFile(path)) !== undefined)!;
    expect(await faultsOfArchive(waczs)).toEqual([]);
    expect(await pagesReplayed([own, ...waczs.filter((path) => path !== own)])).toBe(3);
    await eventually(() => expect(engine.names()).toEqual([]), BOUND_MS);
  });
});

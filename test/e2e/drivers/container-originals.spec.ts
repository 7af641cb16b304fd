import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Redis } from 'ioredis';
import type { CrawlJobSpec, FileEvent, JobObservation } from '../../../src/drivers/crawl-driver.types.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { dockerStage, type DockerStage } from '../../support/container-driver.js';
import { aCrawlJobSpec } from '../../support/crawl-job-spec.js';
import { isDone, takeAll, tickUntil } from '../../support/driven-job.js';
import { freePort } from '../../support/free-port.js';
import { bytesOf, requiresOf } from '../../support/known-originals.js';
import { PictureSite } from '../../support/picture-site.js';
import { RedisServer } from '../../support/redis-server.js';
import { pagesReplayed } from '../../support/replayed.js';
import { digestOf, WaczFile } from '../../support/wacz-file.js';

const redis = await RedisServer.start();
afterAll(() => redis?.stop());

(redis ? describe : describe.skip)('the crawler in a container with the index of a collection in Redis', () => {
  const indexUrl = (redis?.url ?? '').replace(/0$/, '5');
  let stage: DockerStage;
  let site: PictureSite;
  let folder: string;
  let index: Redis;
  let first: CrawlJobSpec;
  let firstFile: string;

  beforeAll(async () => {
    const env = { ALLOW_PRIVATE_ADDRESSES: 'crawls', CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '' };
    stage = await dockerStage(redis!, { crawlerEntry: await builtCrawler(), env });
    site = await PictureSite.start();
    folder = await mkdtemp(join(tmpdir(), 'container-originals-'));
    index = new Redis(indexUrl);
    first = job();
    ({ file: firstFile } = await crawl(first));
    await commit(first.crawlId, firstFile);
  }, 300_000);

  afterAll(async () => {
    index.disconnect();
    await stage.close();
    await site.close();
    await rm(folder, { recursive: true });
  });

  const job = (changes: Partial<CrawlJobSpec> = {}): CrawlJobSpec => {
    const made = aCrawlJobSpec(changes);
    const config = { seeds: [{ url: `${site.url}/` }], scopeType: 'prefix', behaviors: '', limit: 0 };
    return { ...made, config, storage: { ...made.storage, s3: stage.s3 } };
  };

  async function crawl(spec: CrawlJobSpec): Promise<{ seen: JobObservation; file: string }> {
    const seen = await tickUntil(stage.driver, spec, isDone, { boundMs: 200_000 });
    const told = await takeAll(stage.driver, spec);
    const [stored] = told.filter((event): event is FileEvent => event.type === 'file');
    const key = [...stage.store.objects.keys()].find((name) => name.endsWith(basename(stored?.filename ?? '-'))) ?? '';
    const file = join(folder, basename(key));
    await writeFile(file, stage.store.objects.get(key) ?? '');
    return { seen, file };
  }

  /** As the official crawler's index job leaves it. */
  async function commit(crawlId: string, path: string): Promise<void> {
    const wacz = { filename: basename(path), hash: digestOf(path), size: bytesOf([path]) };
    await index.rpush(`c:${crawlId}:wacz`, JSON.stringify(wacz));
    for (const { url, status, mime, digest, ts, length } of new WaczFile(path).index) {
      if (status !== '200' || mime === 'warc/revisit' || url.startsWith('urn:')) continue;
      const hash = digest.replace('sha256:', '');
      await index.hset(`h:${crawlId}`, hash, `0 ${ts} ${url} ${length}`);
      await index.hset('alldupes', hash, crawlId);
    }
  }

  it('refers to what an earlier crawl holds, and reports that it needs it', async () => {
    const { seen, file } = await crawl(job({ dedupeIndexUrl: indexUrl }));
    expect(seen.requiredCrawls).toEqual([first.crawlId]);
    expect(bytesOf([file]) / bytesOf([firstFile])).toBeLessThanOrEqual(0.04);
    expect(requiresOf(new WaczFile(file))).toEqual([
      { filename: basename(firstFile), hash: digestOf(firstFile), size: bytesOf([firstFile]), crawlId: first.crawlId },
    ]);
    expect(await pagesReplayed([file, firstFile])).toBe(3);
  }, 300_000);

  it('captures everything whole while that Redis is away', async () => {
    const nobody = `redis://127.0.0.1:${String(await freePort())}/0`;
    const { seen, file } = await crawl(job({ dedupeIndexUrl: nobody }));
    expect(seen.requiredCrawls).toEqual([]);
    expect(requiresOf(new WaczFile(file))).toBeUndefined();
    expect(bytesOf([file])).toBeGreaterThan(0.95 * bytesOf([firstFile]));
    expect(await pagesReplayed([file])).toBe(3);
  }, 300_000);
});

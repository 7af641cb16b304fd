import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CrawlJobSpec, Original, OriginalsQuestion } from '../../../src/drivers/crawl-driver.types.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { bytesOf, KnownOriginals, requiresOf } from '../../support/known-originals.js';
import { LocalDriverUnderTest } from '../../support/local-driver.js';
import { PictureSite } from '../../support/picture-site.js';
import { pagesReplayed } from '../../support/replayed.js';
import { WaczFile } from '../../support/wacz-file.js';

const COLLECTION = '3c2b1a09-5f6e-4d7c-8b9a-0a1b2c3d4e5f';
const BODY = `sha256:${'0f'.repeat(32)}`;

const original = (itemId: string): Original => ({
  digest: BODY,
  url: 'https://site.example/',
  date: '2020-11-21T08:00:00.000Z',
  size: 5_000,
  itemId,
  wacz: { name: `${itemId}.wacz`, hash: 'ab'.repeat(32), size: 10_000 },
});

describe('a run of the local driver that asks for originals', () => {
  let t: LocalDriverUnderTest;
  const questions: OriginalsQuestion[] = [];
  const registered = (find: () => Original[]): void => {
    t.originals = (question) => {
      questions.push(question);
      return new Promise((resolve) => resolve(find()));
    };
    t.driver.onOriginals(t.originals);
  };
  const configOf = async (spec: CrawlJobSpec) =>
    JSON.parse(await readFile(t.dir(spec, 'config.json'), 'utf8')) as { asksOriginals?: boolean };

  beforeEach(async () => {
    t = await LocalDriverUnderTest.open();
    questions.length = 0;
  });

  afterEach(() => t.close());

  it('asks for its collection, and is observed to need what it was told of and uses', async () => {
    registered(() => [original('earlier')]);
    const spec = t.job(`body=${BODY}`, { dedupeCollectionId: COLLECTION, browserWindows: 1 });
    const seen = await t.over(spec, 'done');
    const { oid, crawlId } = spec;
    expect(questions).toEqual([{ oid, crawlId, collectionId: COLLECTION, digests: [BODY], asksPages: false }]);
    expect(seen.requiredCrawls).toEqual(['earlier']);
  });

  it('goes on without an answer when the index fails, and the log says so', async () => {
    registered(() => {
      throw new Error('no database');
    });
    const spec = t.job(`body=${BODY}`, { dedupeCollectionId: COLLECTION });
    const seen = await t.over(spec, 'done');
    expect(seen.requiredCrawls).toEqual([]);
    expect(t.logged).toContainEqual(expect.objectContaining({ event: 'originals_not_found_out' }));
  });

  it('asks for nothing without a collection, without an index, and for a quality check', async () => {
    const script = `pages=1&body=${BODY}`;
    const without = t.job(script, { dedupeCollectionId: COLLECTION });
    await t.over(without, 'done');
    registered(() => [original('earlier')]);
    const alone = t.job(script);
    const check = t.job(script, { dedupeCollectionId: COLLECTION, kind: 'qa', qaSource: { resources: [] } });
    for (const spec of [alone, check]) await t.over(spec, 'done');
    for (const spec of [without, alone, check]) expect((await configOf(spec)).asksOriginals).toBeUndefined();
    expect(questions).toEqual([]);
  });

  it('refuses what is no digest', async () => {
    registered(() => [original('earlier')]);
    const spec = t.job('body=sha256:1', { dedupeCollectionId: COLLECTION });
    await t.over(spec, 'done');
    expect(questions).toEqual([]);
  });

  it('needs the same after a restart of the service, whatever was drained before', async () => {
    registered(() => [original('earlier')]);
    const spec = t.job(`pages=12&ms=100&body=${BODY}`, { dedupeCollectionId: COLLECTION });
    await t.until(spec, ({ done }) => done >= 3, { drain: false });
    await t.driver.close();
    // The service died before it kept what the child said; another thing was said to nobody.
    const record = join(t.dataDir, 'work', '.driver', `${spec.jobId}.json`);
    const { requiredCrawls: _lost, ...kept } = JSON.parse(await readFile(record, 'utf8')) as Record<string, unknown>;
    await writeFile(record, JSON.stringify(kept));
    await appendFile(t.dir(spec, 'events.jsonl'), '{"seq":999,"t":"original","itemId":"second"}\n');
    await t.reopen();
    expect((await t.driver.observe(spec.jobId)).requiredCrawls).toEqual(['earlier', 'second']);
    await t.over(spec, 'done');
    // All is drained: now the record alone knows it.
    await t.driver.close();
    await t.reopen();
    expect((await t.driver.observe(spec.jobId)).requiredCrawls).toEqual(['earlier', 'second']);
  });
});

describe('the real crawler of a workflow with a collection', () => {
  it('crawls an unchanged site again for 4 % of the first, over a restart of the service', async () => {
    const t = await LocalDriverUnderTest.open(await builtCrawler());
    const site = await PictureSite.start({ delayMs: 100 });
    try {
      const config = { seeds: [{ url: `${site.url}/` }], scopeType: 'prefix', behaviors: '', limit: 0 };
      const first = t.job('', { config });
      await t.over(first, 'done', 200_000);
      const firstFiles = await laidDown(t);
      const known = new KnownOriginals().add(first.crawlId, ...firstFiles);
      t.originals = ({ digests }) => Promise.resolve(known.find(digests));
      t.driver.onOriginals(t.originals);

      const second = t.job('', { config, dedupeCollectionId: COLLECTION, browserWindows: 1 });
      await t.until(second, ({ done }) => done >= 2, { boundMs: 200_000 });
      await t.driver.close();
      await t.reopen();
      expect((await t.driver.observe(second.jobId)).requiredCrawls).toEqual([first.crawlId]);
      const seen = await t.over(second, 'done', 200_000);
      expect(seen.requiredCrawls).toEqual([first.crawlId]);
      const files = (await laidDown(t)).filter((path) => !firstFiles.includes(path));
      expect(bytesOf(files) / bytesOf(firstFiles)).toBeLessThanOrEqual(0.04);
      expect(requiresOf(new WaczFile(files[0] ?? ''))).toEqual([expect.objectContaining({ crawlId: first.crawlId })]);
      expect(t.pages.length).toBe(2 * site.pages);
      expect(await pagesReplayed([...files, ...firstFiles])).toBe(3);
    } finally {
      await site.close();
      await t.close();
    }
  }, 600_000);
});

/** The stored WACZs as files. */
async function laidDown({ store, dataDir }: LocalDriverUnderTest): Promise<string[]> {
  const stored = [...store.objects].filter(([key]) => key.endsWith('.wacz'));
  await Promise.all(stored.map(([key, bytes]) => writeFile(join(dataDir, basename(key)), bytes)));
  return stored.map(([key]) => join(dataDir, basename(key)));
}

import { newId } from '../../../src/common/ids/uuid.js';
import type { DomainEvent } from '../../../src/events/event-types.js';
import { OnFact } from '../../../src/events/on-fact.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, somePages } from '../../support/archive.js';
import { twoOrgs, type Member } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

let under: AppUnderTest;
let oid: string;
let otherOid: string;
let member: Member;
let crawler: ApiClient;
let viewer: ApiClient;
let stranger: ApiClient;

const told: unknown[] = [];
class Listens {
  @OnFact('crawl.reviewed', 'test')
  async hear({ payload }: DomainEvent<'crawl.reviewed'>): Promise<void> {
    await Promise.resolve(told.push(payload));
  }
}

beforeAll(async () => {
  under = await startApp({ overrides: [{ module: class {}, providers: [Listens] }] });
  const orgs = await twoOrgs(under);
  ({ oid, otherOid, crawler: member } = orgs);
  [crawler, viewer, stranger] = [member.api, orgs.viewer.api, orgs.stranger.api];
});
afterAll(() => under?.close());

const failing = ({ status, body }: { status: number; body: { detail: unknown } }) => [status, body.detail];
const at = (path = ''): string => `/orgs/${oid}/all-crawls${path}`;

describe('the list of items', () => {
  const tag = 'listed';
  let crawl: string;
  let upload: string;
  beforeAll(async () => {
    crawl = await anItem(under, oid, {
      name: 'A crawl',
      tags: [tag, 'x'],
      reviewStatus: 4,
      firstSeed: 'https://a.org/',
    });
    upload = await anItem(under, oid, {
      _id: `upload-${newId()}`,
      type: 'upload',
      tags: [tag],
      name: 'Tél é',
      state: 'processing-upload',
    });
  });
  const ids = async (query: Record<string, string | number | string[]>) => {
    const { status, body } = await viewer.get(at(), { tags: tag, ...query });
    expect(status).toBe(200);
    expect(body.total).toBe(body.items.length);
    return body.items.map((item: { id: string }) => item.id).sort();
  };

  it('shows crawls and uploads with every field', async () => {
    const { body } = await viewer.get(at(), { ids: crawl });
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['items', 'total', 'page', 'pageSize']));
    expect(body.items).toHaveLength(1);
    expect(body.items[0]).toMatchObject({
      id: crawl,
      type: 'crawl',
      oid,
      name: 'A crawl',
      state: 'complete',
      profileName: null,
      config: null,
      qaRunCount: 0,
      lastQAState: null,
      errors: [],
      behaviorLogs: [],
      storageQuotaReached: false,
      fileSizeWithDeps: null,
    });
    expect(body.items[0]).not.toHaveProperty('files');
    expect(body.items[0]).not.toHaveProperty('resources');
  });

  it.each<[Record<string, string | string[]>, ('crawl' | 'upload')[]]>([
    [{}, ['crawl', 'upload']],
    [{ crawlType: 'upload' }, ['upload']],
    [{ state: 'complete,processing-upload' }, ['crawl', 'upload']],
    [{ state: ['complete', 'failed'] }, ['crawl']],
    [{ state: 'no-such-state' }, []],
    [{ name: 'T%C3%A9l%20%C3%A9' }, ['upload']],
    [{ firstSeed: 'https%3A%2F%2Fa.org%2F' }, ['crawl']],
    [{ tags: [tag, 'x'] }, ['crawl']],
    [{ tags: [tag, 'x'], tagMatch: 'or' }, ['crawl', 'upload']],
    [{ reviewStatus: '4' }, ['crawl']],
    [{ reviewStatus: ['2', '4'] }, ['crawl']],
    [{ reviewStatus: '1,3' }, []],
    [{ collectionId: newId() }, []],
  ])('is narrowed by %o', async (query, expected) => {
    const named = { crawl, upload };
    expect(await ids(query)).toEqual(expected.map((name) => named[name]).sort());
  });

  it('names bad input', async () => {
    expect(failing(await viewer.get(at(), { reviewStatus: ['1', '2', '3'] }))).toEqual([
      400,
      'invalid_qa_review_range',
    ]);
    expect(failing(await viewer.get(at(), { reviewStatus: 6 }))).toEqual([400, 'invalid_qa_review_range']);
    expect(failing(await viewer.get(at(), { sortBy: 'name' }))).toEqual([400, 'invalid_sort_by']);
    expect(failing(await viewer.get(at(), { sortDirection: 0 }))).toEqual([400, 'invalid_sort_direction']);
    expect((await viewer.get(at(), { crawlType: 'both' })).status).toBe(422);
    expect((await viewer.get(at(), { tagMatch: 'xor' })).status).toBe(422);
    expect((await viewer.get(at(), { collectionId: 'x' })).status).toBe(422);
    expect((await viewer.get(at(), { ids: 'not an id' })).status).toBe(422);
  });

  it('offers what its filters can be filled with', async () => {
    const { body } = await viewer.get(at('/search-values'), { crawlType: 'upload' });
    expect(body).toMatchObject({ ids: [upload], names: ['Tél é'], firstSeeds: [] });
    const all = (await viewer.get(at('/tagCounts'), { onlySuccessful: false })).body.tags;
    expect(all).toEqual([
      { tag, count: 2 },
      { tag: 'x', count: 1 },
    ]);
    expect((await viewer.get(at('/tagCounts'))).body.tags[0]).toEqual({ tag, count: 1 });
    expect((await viewer.get(at('/tagCounts'), { crawlType: 'page' })).status).toBe(422);
  });

  it('shows nothing of another org', async () => {
    expect((await stranger.get(`/orgs/${otherOid}/all-crawls`, { ids: crawl })).body.total).toBe(0);
    expect(failing(await stranger.get(at()))).toEqual([404, 'org_not_found']);
  });
});

describe('one item', () => {
  it('comes with files, collections and pages, to crawlers as item and to viewers as replay', async () => {
    const needed = await anItem(under, oid, { contents: { 'needed.wacz': Buffer.from('needed') } });
    const gone = 'manual-20260101000000-gone';
    const item = await anItem(under, oid, {
      requiresCrawls: [needed, gone],
      contents: { 'own.wacz': Buffer.from('own') },
    });
    const [page] = await somePages(under, oid, item, [{}]);
    const collection = (await crawler.post(`/orgs/${oid}/collections`, { name: 'Of one', crawlIds: [item] })).body.id;
    const { body } = await viewer.get(at(`/${item}/replay.json`), { withDependencies: true });
    expect(body.resources).toMatchObject([
      { name: 'own.wacz', crawlId: item, fromDependency: false, numReplicas: 0, expireAt: expect.stringMatching(/Z$/) },
      { name: 'needed.wacz', crawlId: needed, fromDependency: true },
    ]);
    expect(body).toMatchObject({
      collections: [{ id: collection, name: 'Of one' }],
      fileSizeWithDeps: 9,
      missingRequiresCrawls: [gone],
      downloadUrl: null,
      pagesQueryUrl: `${under.baseUrl}/api/orgs/${oid}/crawls/${item}/pagesSearch`,
    });
    expect(body.initialPages.map((one: { id: string }) => one.id)).toEqual([page]);
    expect((await crawler.get(at(`/${item}`))).body.resources).toHaveLength(1);
    expect((await viewer.get(at(`/${item}`))).status).toBe(403);
    const admin = await under.admin();
    expect((await admin.get(`/orgs/all/all-crawls/${item}/replay.json`)).body.id).toBe(item);
    expect(failing(await crawler.get(`/orgs/all/all-crawls/${item}/replay.json`))).toEqual([403, 'Not Allowed']);
  });

  it('shows no files while it is not ready', async () => {
    const item = await anItem(under, oid, { state: 'running', contents: { 'r.wacz': Buffer.from('r') } });
    expect((await viewer.get(at(`/${item}/replay.json`))).body.resources).toEqual([]);
    expect(failing(await viewer.get(at(`/${item}/download`)))).toEqual([400, 'no_crawl_resources']);
  });

  it('is not found when it is unknown, of another org, or no id at all', async () => {
    const item = await anItem(under, oid);
    for (const path of ['', '/replay.json', '/download']) {
      const unknown = 'manual-20260101000000-unknown';
      expect(failing(await crawler.get(at(`/${unknown}${path}`)))).toEqual([404, `Crawl not found: ${unknown}`]);
      const foreign = await stranger.get(`/orgs/${otherOid}/all-crawls/${item}${path}`);
      expect(failing(foreign)).toEqual([404, `Crawl not found: ${item}`]);
      expect((await crawler.get(at(`/no_id${path}`))).status).toBe(422);
    }
  });

  it('downloads as one package, or as its only file', async () => {
    const item = await anItem(under, oid, { name: 'Ünï', contents: { 'single.wacz': Buffer.from('single bytes') } });
    const combined = await viewer.fetch('GET', at(`/${item}/download`));
    const bytes = Buffer.from(await combined.arrayBuffer());
    expect(combined.headers.get('content-disposition')).toContain(`${item}.wacz`);
    expect(Number(combined.headers.get('content-length'))).toBe(bytes.length);
    expect(bytes.includes('"title": "\\u00dcn\\u00ef"')).toBe(true);
    expect(bytes.includes('"type": "crawl"')).toBe(true);
    const single = await viewer.fetch('GET', at(`/${item}/download?preferSingleWACZ=true`));
    expect(single.headers.get('content-disposition')).toContain('single.wacz');
    expect(await single.text()).toBe('single bytes');
  });
});

describe('changing an item', () => {
  it('writes what was sent, nulls too, and leaves the rest', async () => {
    const item = await anItem(under, oid, { name: 'N', description: 'D', tags: ['t'], reviewStatus: 2 });
    const get = async () => (await crawler.get(at(`/${item}`))).body;
    expect((await crawler.patch(at(`/${item}`), { description: null, reviewStatus: null })).body).toEqual({
      updated: true,
    });
    expect(await get()).toMatchObject({ name: 'N', description: null, tags: ['t'], reviewStatus: null });
    await crawler.patch(at(`/${item}`), { name: '', tags: [] });
    expect(await get()).toMatchObject({ name: '', tags: [] });
  });

  it('tells a review once it is given, with the description as it is then', async () => {
    told.length = 0;
    const item = await anItem(under, oid);
    await crawler.patch(at(`/${item}`), { reviewStatus: 5, description: 'Fine' });
    await crawler.patch(at(`/${item}`), { reviewStatus: null });
    expect(told).toEqual([
      { oid, crawlId: item, reviewStatus: 5, reviewStatusLabel: 'Excellent', description: 'Fine' },
    ]);
  });

  it('names its failures', async () => {
    const item = await anItem(under, oid, { state: 'failed' });
    const collection = (await crawler.post(`/orgs/${oid}/collections`, { name: 'Of failures' })).body.id;
    const unknown = at('/manual-20260101000000-unknown');
    expect(failing(await crawler.patch(at(`/${item}`), {}))).toEqual([400, 'no_update_data']);
    expect(failing(await crawler.patch(unknown, { name: 'x' }))).toEqual([404, 'crawl_not_found']);
    expect(failing(await crawler.patch(unknown, { collectionIds: [] }))).toEqual([
      404,
      'Crawl not found: manual-20260101000000-unknown',
    ]);
    expect(failing(await crawler.patch(at(`/${item}`), { collectionIds: [collection] }))).toEqual([
      400,
      'invalid_failed_or_unfinished_crawl',
    ]);
    for (const body of [
      { reviewStatus: 6 },
      { reviewStatus: '2' },
      { name: 'x'.repeat(1001) },
      { tags: [''] },
      { collectionIds: ['x'] },
    ])
      expect((await crawler.patch(at(`/${item}`), body)).status).toBe(422);
    expect((await viewer.patch(at(`/${item}`), { name: 'x' })).status).toBe(403);
    expect(failing(await stranger.patch(`/orgs/${otherOid}/all-crawls/${item}`, { name: 'x' }))).toEqual([
      404,
      'crawl_not_found',
    ]);
  });

  it('ends in one state of its collections however many change it at once', async () => {
    const item = await anItem(under, oid);
    const collections = await Promise.all(
      [1, 2, 3].map(async (n) => (await crawler.post(`/orgs/${oid}/collections`, { name: `Raced ${n}` })).body.id),
    );
    await Promise.all(collections.map((id) => crawler.patch(at(`/${item}`), { collectionIds: [id] })));
    const { collectionIds } = (await crawler.get(at(`/${item}`))).body;
    expect(collectionIds).toHaveLength(1);
    expect(collections).toContain(collectionIds[0]);
  });
});

describe('deleting items of both types', () => {
  it('takes them with their pages', async () => {
    const mine = { userid: member.id };
    const crawl = await anItem(under, oid, mine);
    const upload = await anItem(under, oid, { ...mine, _id: `upload-${newId()}`, type: 'upload' });
    await somePages(under, oid, crawl, [{}]);
    const { body } = await crawler.post(at('/delete'), { crawl_ids: [upload, crawl] });
    expect(body).toEqual({ deleted: true, storageQuotaReached: false });
    expect((await viewer.get(at(), { ids: [crawl, upload] })).body.total).toBe(0);
    expect((await viewer.get(`/orgs/${oid}/crawls/${crawl}/pages`)).body.total).toBe(0);
  });

  it('names its failures and deletes nothing then', async () => {
    const [mine, theirs] = [await anItem(under, oid, { userid: member.id }), await anItem(under, oid)];
    const ask = (crawl_ids: string[]) => crawler.post(at('/delete'), { crawl_ids });
    expect(failing(await ask([]))).toEqual([400, 'nothing_to_delete']);
    expect(failing(await ask([mine, theirs]))).toEqual([403, 'not_allowed']);
    expect(failing(await ask([mine, 'manual-1-x']))).toEqual([404, 'Crawl not found: manual-1-x']);
    expect((await ask(['../x'])).status).toBe(422);
    expect((await viewer.get(at(), { ids: [mine, theirs] })).body.total).toBe(2);
  });
});

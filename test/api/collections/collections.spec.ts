import { newId } from '../../../src/common/ids/uuid.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled, somePages } from '../../support/archive.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { twoOrgs } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

let under: AppUnderTest;
let oid: string;
let otherOid: string;
let crawler: ApiClient;
let viewer: ApiClient;
let stranger: ApiClient;

beforeAll(async () => {
  under = await startApp();
  const orgs = await twoOrgs(under);
  ({ oid, otherOid } = orgs);
  [crawler, viewer, stranger] = [orgs.crawler.api, orgs.viewer.api, orgs.stranger.api];
});
afterAll(() => under?.close());

const failing = ({ status, body }: { status: number; body: { detail: unknown } }) => [status, body.detail];
const at = (path = ''): string => `/orgs/${oid}/collections${path}`;
let serial = 0;
const named = (): string => `Collection ${(serial += 1)}`;
async function aCollection(fields: object = {}): Promise<string> {
  const { status, body } = await crawler.post(at(), { name: named(), ...fields });
  expect(status).toBe(200);
  return body.id;
}
const detail = async (id: string) => (await viewer.get(at(`/${id}`))).body;

describe('making a collection', () => {
  it('answers with its id and name, and makes the slug from the name', async () => {
    const { status, body } = await crawler.post(at(), { name: "My  Coll's Name!", caption: 'C' });
    expect([status, body]).toEqual([200, { added: true, id: expect.any(String), name: "My  Coll's Name!" }]);
    expect(await detail(body.id)).toMatchObject({
      slug: 'my-colls-name',
      oid,
      caption: 'C',
      description: null,
      access: 'private',
      allowPublicDownload: true,
      crawlCount: 0,
      resources: [],
      thumbnail: null,
      runningUpdatesCount: 0,
    });
  });

  it('takes the id as slug for a name of symbols only', async () => {
    const { body } = await crawler.post(at(), { name: '😀' });
    expect((await detail(body.id)).slug).toBe(body.id);
  });

  it('refuses a taken name or slug, whatever the case and accents, also when both are tried at once', async () => {
    await aCollection({ name: 'Été', slug: 'summer' });
    expect(failing(await crawler.post(at(), { name: 'ETE', slug: 'other' }))).toEqual([400, 'collection_name_taken']);
    expect(failing(await crawler.post(at(), { name: 'Other', slug: 'SUMMER' }))).toEqual([
      400,
      'collection_slug_taken',
    ]);
    const name = named();
    const answers = await Promise.all(Array.from({ length: 5 }, () => crawler.post(at(), { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  it('refuses items that are unknown, unfinished, failed or of another org, and stores nothing then', async () => {
    const failed = await anItem(under, oid, { state: 'failed' });
    const foreign = await anItem(under, otherOid);
    for (const id of [failed, foreign, 'manual-20260101000000-unknown'])
      expect(failing(await crawler.post(at(), { name: 'Refused', crawlIds: [id] }))).toEqual([
        400,
        'invalid_failed_or_unfinished_crawl',
      ]);
    expect((await viewer.get(at(), { name: 'Refused' })).body.total).toBe(0);
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ name: 'ok', access: 'secret' }, 'access'],
    [{ name: 'ok', crawlIds: ['../etc'] }, 'crawlIds'],
  ])('answers 422 to %o', async (body, field) => {
    const answer = await crawler.post(at(), body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc.slice(0, 2)).toEqual(['body', field]);
  });

  it('is for crawlers', async () => {
    expect((await viewer.post(at(), { name: named() })).status).toBe(403);
    expect(failing(await stranger.post(at(), { name: named() }))).toEqual([404, 'org_not_found']);
  });
});

describe('the items of a collection', () => {
  it('come and go with their figures', async () => {
    const a = await anItem(under, oid, { tags: ['x', 'y'], contents: { 'a.wacz': Buffer.alloc(10) } });
    const b = await anItem(under, oid, { tags: ['x'], contents: { 'b.wacz': Buffer.alloc(5) } });
    await somePages(under, oid, a, [{ url: 'https://a.org/1' }, { url: 'https://a.org/2' }, { url: 'http://b.org/' }]);
    await somePages(under, oid, b, [{ url: 'https://a.org/1', ts: new Date('2026-02-03T00:00:00.500Z') }]);
    const id = await aCollection({ crawlIds: [a, a] });
    expect(await crawler.post(at(`/${id}/add`), { crawlIds: [b] })).toMatchObject({
      status: 200,
      body: { updated: true },
    });
    await settled(under);
    expect(await detail(id)).toMatchObject({
      crawlCount: 2,
      totalSize: 15,
      pageCount: 4,
      uniquePageCount: 3,
      tags: ['x', 'y'],
      topPageHosts: [
        { host: 'a.org', count: 3 },
        { host: 'b.org', count: 1 },
      ],
      dateEarliest: '2026-01-01T00:00:00Z',
      dateLatest: '2026-02-03T00:00:00.500000Z',
      preloadResources: [],
      runningUpdatesCount: 0,
    });
    await crawler.post(at(`/${id}/remove`), { crawlIds: [a, 'manual-20260101000000-unknown'] });
    await settled(under);
    expect(await detail(id)).toMatchObject({ crawlCount: 1, totalSize: 5, pageCount: 1, tags: ['x'] });
  });

  it('lists the files of items without pages for preloading', async () => {
    const item = await anItem(under, oid, { contents: { 'no-pages.wacz': Buffer.alloc(3) } });
    const id = await aCollection({ crawlIds: [item] });
    await settled(under);
    expect((await detail(id)).preloadResources).toEqual([{ name: 'no-pages.wacz', crawlId: item }]);
  });

  it('come from workflows too, successful crawls only', async () => {
    const cid = newId();
    const good = await anItem(under, oid, { cid });
    await anItem(under, oid, { cid, state: 'canceled' });
    const id = await aCollection();
    await crawler.post(at(`/${id}/add`), { crawlconfigIds: [cid] });
    const items = await viewer.get(`/orgs/${oid}/all-crawls`, { collectionId: id });
    expect(items.body.items.map((item: { id: string }) => item.id)).toEqual([good]);
    await crawler.post(at(`/${id}/remove`), { crawlconfigIds: [cid] });
    expect((await viewer.get(`/orgs/${oid}/all-crawls`, { collectionId: id })).body.total).toBe(0);
  });

  it('are all kept when several calls add at once', async () => {
    const id = await aCollection();
    const items = await Promise.all(Array.from({ length: 6 }, () => anItem(under, oid)));
    const answers = await Promise.all(items.map((item) => crawler.post(at(`/${id}/add`), { crawlIds: [item] })));
    expect(answers.map(({ status }) => status)).toEqual(items.map(() => 200));
    await settled(under);
    expect((await detail(id)).crawlCount).toBe(6);
  });

  it('refuses bad items before it says that there is no such collection', async () => {
    const item = await anItem(under, oid);
    const unknown = at(`/${newId()}`);
    expect(failing(await crawler.post(`${unknown}/add`, { crawlIds: ['upload-x'] }))[1]).toBe(
      'invalid_failed_or_unfinished_crawl',
    );
    expect(failing(await crawler.post(`${unknown}/add`, { crawlIds: [item] }))).toEqual([404, 'collection_not_found']);
    expect(failing(await crawler.post(`${unknown}/remove`, { crawlIds: [item] }))).toEqual([
      404,
      'collection_not_found',
    ]);
  });

  it('follow an item that is changed by itself', async () => {
    const item = await anItem(under, oid);
    const [one, two] = [await aCollection({ crawlIds: [item] }), await aCollection()];
    const patch = (body: object) => crawler.patch(`/orgs/${oid}/all-crawls/${item}`, body);
    expect((await patch({ collectionIds: [two] })).body).toEqual({ updated: true });
    await settled(under);
    expect([(await detail(one)).crawlCount, (await detail(two)).crawlCount]).toEqual([0, 1]);
    expect(failing(await patch({ collectionIds: [newId()] }))).toEqual([404, 'collection_not_found']);
    await patch({ collectionIds: null, name: 'kept' });
    await settled(under);
    expect((await detail(two)).crawlCount).toBe(1);
  });
});

describe('changing a collection', () => {
  it('keeps what was not sent, clears what is null, and ignores null where a value is needed', async () => {
    const id = await aCollection({ description: 'D', caption: 'C', access: 'public' });
    const before = await detail(id);
    const answer = await crawler.patch(at(`/${id}`), { description: null, name: null, access: null, slug: null });
    expect(answer.body).toEqual({ updated: true });
    expect(await detail(id)).toMatchObject({
      description: null,
      caption: 'C',
      name: before.name,
      slug: before.slug,
      access: 'public',
    });
  });

  it('names its failures', async () => {
    const [id, taken] = [await aCollection(), await aCollection({ slug: 'held' })];
    expect(failing(await crawler.patch(at(`/${id}`), {}))).toEqual([400, 'no_update_data']);
    expect(failing(await crawler.patch(at(`/${newId()}`), { caption: 'x' }))).toEqual([404, 'collection_not_found']);
    expect(failing(await crawler.patch(at(`/${id}`), { slug: 'held' }))).toEqual([400, 'collection_slug_taken']);
    const { name } = await detail(taken);
    expect(failing(await crawler.patch(at(`/${id}`), { name }))).toEqual([400, 'collection_name_taken']);
    expect((await crawler.patch(at(`/${id}`), { access: 'open' })).status).toBe(422);
    expect((await crawler.patch(at('/not-a-uuid'), { caption: 'x' })).status).toBe(422);
  });

  it('leaves the old slug leading to it, until another collection takes it', async () => {
    const org = (await (await under.admin()).get(`/orgs/${oid}`)).body;
    const lookUp = (slug: string) => under.api.get(`/public/orgs/${org.slug}/collections/${slug}`);
    const id = await aCollection({ name: 'First name', access: 'unlisted' });
    await crawler.patch(at(`/${id}`), { name: 'Second name' });
    expect((await lookUp('first-name')).body).toMatchObject({ id, slug: 'second-name' });
    const other = await aCollection({ name: 'Another', slug: 'first-name', access: 'public' });
    expect((await lookUp('first-name')).body.id).toBe(other);
    await crawler.delete(at(`/${other}`));
    expect(failing(await lookUp('first-name'))).toEqual([404, 'collection_not_found']);
    await crawler.patch(at(`/${id}`), { name: 'First name' });
    await crawler.patch(at(`/${id}`), { access: 'private' });
    expect(failing(await lookUp('first-name'))).toEqual([404, 'collection_not_found']);
  });

  it('knows an old slug whatever its case, and who took it in another one', async () => {
    const org = (await (await under.admin()).get(`/orgs/${oid}`)).body;
    const lookUp = (slug: string) => under.api.get(`/public/orgs/${org.slug}/collections/${slug}`);
    const id = await aCollection({ slug: 'Old-Case', access: 'public' });
    expect((await lookUp('old-case')).body.id).toBe(id);
    await crawler.patch(at(`/${id}`), { slug: 'new-case' });
    expect((await lookUp('old-case')).body).toMatchObject({ id, slug: 'new-case' });
    await crawler.delete(at(`/${await aCollection({ slug: 'OLD-CASE' })}`));
    expect(failing(await lookUp('Old-Case'))).toEqual([404, 'collection_not_found']);
  });

  it('keeps the address that its thumbnail was taken from as URLs are kept, and takes nothing else for one', async () => {
    const id = await aCollection();
    const source = { urlTs: '2026-01-02T03:04:05Z', urlPageId: newId() };
    const from = (url: unknown) => crawler.patch(at(`/${id}`), { thumbnailSource: { ...source, url } });
    for (const url of ['no address', 'ftp://example.org/', 7]) {
      const { status, body } = await from(url);
      expect([status, body.detail[0].loc]).toEqual([422, ['body', 'thumbnailSource', 'url']]);
    }
    expect((await from('HTTPS://Example.ORG')).status).toBe(200);
    expect((await detail(id)).thumbnailSource).toEqual({ ...source, url: 'https://example.org/' });
  });

  it('sets and takes away the home page', async () => {
    const item = await anItem(under, oid);
    const [page] = await somePages(under, oid, item, [{}]);
    const foreignItem = await anItem(under, otherOid);
    const [foreign] = await somePages(under, otherOid, foreignItem, [{}]);
    const id = await aCollection();
    await crawler.post(at(`/${id}/home-url`), { pageId: page });
    expect(await detail(id)).toMatchObject({
      homeUrl: 'https://example.org/0',
      homeUrlTs: '2026-01-01T00:00:00Z',
      homeUrlPageId: page,
    });
    expect(failing(await crawler.post(at(`/${id}/home-url`), { pageId: foreign }))).toEqual([404, 'page_not_found']);
    expect(failing(await crawler.post(at(`/${newId()}/home-url`), { pageId: page }))).toEqual([
      404,
      'collection_not_found',
    ]);
    await crawler.post(at(`/${id}/home-url`), { pageId: null });
    expect(await detail(id)).toMatchObject({ homeUrl: null, homeUrlTs: null, homeUrlPageId: null });
  });
});

describe('lists of collections', () => {
  it('are filtered by exact name, start of the name, access and index', async () => {
    await aCollection({ name: 'Zeta (one)', access: 'public' });
    await aCollection({ name: 'zeta two' });
    const names = async (query: Record<string, string>) =>
      (await viewer.get(at(), { ...query, sortBy: 'name' })).body.items.map((c: { name: string }) => c.name);
    expect(await names({ name: 'ZETA TWO' })).toEqual(['zeta two']);
    expect(await names({ namePrefix: 'ZETA' })).toEqual(['Zeta (one)', 'zeta two']);
    expect(await names({ namePrefix: 'zeta (' })).toEqual(['Zeta (one)']);
    expect(await names({ namePrefix: 'zeta', access: 'public' })).toEqual(['Zeta (one)']);
    expect(await names({ namePrefix: 'zeta', hasDedupeIndex: 'true' })).toEqual([]);
    expect(await names({ namePrefix: 'z\u0000' })).toEqual([]);
    expect((await viewer.get(at('/search-values'))).body.names).toContain('zeta two');
  });

  it('refuse unknown orders', async () => {
    expect(failing(await viewer.get(at(), { sortBy: 'size' }))).toEqual([400, 'invalid_sort_by']);
    expect(failing(await viewer.get(at(), { sortBy: 'name', sortDirection: 0 }))).toEqual([
      400,
      'invalid_sort_direction',
    ]);
    expect((await viewer.get(at(), { pageSize: 0 })).status).toBe(422);
  });

  it.each([
    'created',
    'modified',
    'dateLatest',
    'name',
    'crawlCount',
    'pageCount',
    'totalSize',
    'description',
    'caption',
  ])('are ordered by %s both ways, with every collection once over the pages', async (sortBy) => {
    const { total } = (await viewer.get(at())).body;
    for (const sortDirection of [1, -1]) {
      const ids: string[] = [];
      for (let page = 1; ids.length < total; page++)
        ids.push(
          ...(await viewer.get(at(), { sortBy, sortDirection, page, pageSize: 4 })).body.items.map(
            (c: { id: string }) => c.id,
          ),
        );
      expect(new Set(ids).size).toBe(total);
    }
  });
});

describe('deleting a collection', () => {
  it('leaves its items, which no longer hold it', async () => {
    const item = await anItem(under, oid);
    const id = await aCollection({ crawlIds: [item] });
    expect((await crawler.delete(at(`/${id}`))).body).toEqual({ success: true });
    expect(failing(await viewer.get(at(`/${id}`)))).toEqual([404, 'collection_not_found']);
    expect(failing(await crawler.delete(at(`/${id}`)))).toEqual([404, 'collection_not_found']);
    expect((await crawler.get(`/orgs/${oid}/all-crawls/${item}`)).body.collectionIds).toEqual([]);
  });

  it('waits for its dedupe index', async () => {
    const id = await aCollection();
    const { uuid } = await import('../../../src/database/uuid-codec.js');
    const setIndex = (indexState: string) =>
      under.connection.collection('collections').updateOne({ _id: uuid(id) as never }, { $set: { indexState } });
    await setIndex('ready');
    expect(failing(await crawler.delete(at(`/${id}`)))).toEqual([400, 'not_allowed_while_dedupe_index_exists']);
    expect(failing(await crawler.post(at(`/${id}/dedupeIndex/create`)))).toEqual([400, 'index_already_exists']);
    const owner = await under.admin();
    await setIndex('importing');
    expect(failing(await owner.post(at(`/${id}/dedupeIndex/purge`)))).toEqual([400, 'dedupe_index_not_ready']);
    await setIndex('saved');
    expect((await crawler.get(at(`/${id}`))).body.indexState).toBe('saving');
    await setIndex('idle');
    expect((await owner.post(at(`/${id}/dedupeIndex/delete`), {})).body).toEqual({ deleted: true });
    expect(failing(await owner.post(at(`/${id}/dedupeIndex/delete`), {}))).toEqual([404, 'no_dedupe_index']);
    expect((await crawler.delete(at(`/${id}`))).status).toBe(200);
  });

  it('can lose its dedupe index unless a crawl is at work on it', async () => {
    const stage = await CrawlStage.of(under);
    stage.driver.script({ pagesPerSeed: 100, pageSeconds: 5 });
    const owner = await under.admin();
    const collections = `/orgs/${stage.oid}/collections`;
    const { id } = (await owner.post(collections, { name: named() })).body;
    const { uuid } = await import('../../../src/database/uuid-codec.js');
    await under.connection
      .collection('collections')
      .updateOne({ _id: uuid(id) as never }, { $set: { indexState: 'crawling' } });
    const lose = () => owner.post(`${collections}/${id}/dedupeIndex/delete`, {});

    const crawlId = await stage.aCrawl({ dedupeCollId: id });
    expect(failing(await lose())).toEqual([400, 'dedupe_index_is_in_use']);
    expect((await owner.post(`/orgs/${stage.oid}/crawls/${crawlId}/cancel`)).status).toBe(200);
    await stage.until(crawlId, 'canceled');
    // What a service that died left behind, too.
    expect((await lose()).body).toEqual({ deleted: true });
  });
});

describe('another org', () => {
  it('neither sees nor changes a collection under its own address', async () => {
    const id = await aCollection({ access: 'public' });
    const foreign = `/orgs/${otherOid}/collections/${id}`;
    const answers = [
      await stranger.get(foreign),
      await stranger.get(`${foreign}/replay.json`),
      await stranger.get(`${foreign}/download`),
      await stranger.get(`${foreign}/pages`),
      await stranger.get(`${foreign}/pageUrlCounts`),
      await stranger.get(`${foreign}/public/replay.json`),
      await stranger.patch(foreign, { caption: 'x' }),
      await stranger.post(`${foreign}/add`, {}),
      await stranger.post(`${foreign}/remove`, {}),
      await stranger.post(`${foreign}/home-url`, {}),
      await stranger.delete(`${foreign}/thumbnail`),
      await stranger.delete(foreign),
    ];
    expect(answers.map(failing)).toEqual(answers.map(() => [404, 'collection_not_found']));
    expect((await viewer.get(at(`/${id}`))).status).toBe(200);
  });
});

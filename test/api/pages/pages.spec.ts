import { newId } from '../../../src/common/ids/uuid.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled, somePages } from '../../support/archive.js';
import { aMember, anOrg, twoOrgs } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { zipOf } from '../../support/zip.js';

let under: AppUnderTest;
let oid: string;
let crawler: ApiClient;
let viewer: ApiClient;
let stranger: ApiClient;
let otherOid: string;

beforeAll(async () => {
  under = await startApp();
  const orgs = await twoOrgs(under);
  ({ oid, otherOid } = orgs);
  [crawler, viewer, stranger] = [orgs.crawler.api, orgs.viewer.api, orgs.stranger.api];
});
afterAll(() => under?.close());

const failing = ({ status, body }: { status: number; body: { detail: unknown } }) => [status, body.detail];
const urls = ({ body }: { body: { items: { url: string }[] } }) => body.items.map(({ url }) => url.slice(-1));

describe('pages of an item', () => {
  let item: string;
  let pages: string[];
  beforeAll(async () => {
    item = await anItem(under, oid);
    pages = await somePages(under, oid, item, [
      { title: 'Start of archives' },
      { depth: 1 },
      { title: 'Archives again' },
    ]);
  });

  it('are listed the same under three prefixes, with every field', async () => {
    const lists = await Promise.all(
      ['crawls', 'uploads', 'all-crawls'].map((kind) => viewer.get(`/orgs/${oid}/${kind}/${item}/pages`)),
    );
    for (const { status, body } of lists) {
      expect([status, body.total, body.page, body.pageSize]).toEqual([200, 3, 1, 1000]);
      expect(body.items[0]).toEqual({
        id: pages[0],
        oid,
        crawl_id: item,
        url: 'https://example.org/0',
        title: 'Start of archives',
        ts: '2026-01-01T00:00:00Z',
        loadState: null,
        status: 200,
        mime: null,
        filename: null,
        depth: null,
        favIconUrl: null,
        isSeed: true,
        userid: null,
        modified: null,
        approved: null,
        notes: [],
        isFile: false,
        isError: false,
      });
    }
  });

  it('are found by address, start of it and words of the title', async () => {
    const list = (query: Record<string, string>) => viewer.get(`/orgs/${oid}/crawls/${item}/pages`, query);
    expect(urls(await list({ url: 'https%3A%2F%2Fexample.org%2F1' }))).toEqual(['1']);
    expect(urls(await list({ urlPrefix: 'https://example.org/1' }))).toEqual(['1', '2']);
    expect(urls(await list({ search: 'https://example.org/2' }))).toEqual(['2']);
    expect(urls(await list({ search: 'archive' })).sort()).toEqual(['0', '2']);
    const found = await viewer.get(`/orgs/${oid}/crawls/${item}/pagesSearch`, { search: 'started' });
    expect([urls(found), Object.keys(found.body)]).toEqual([['0'], ['items']]);
  });

  it('are none for an item that is unknown or of another org', async () => {
    const unknown = `manual-20260101000000-unknown`;
    for (const path of [`/orgs/${oid}/crawls/${unknown}/pages`, `/orgs/${otherOid}/crawls/${item}/pages`]) {
      const client = path.includes(otherOid) ? stranger : viewer;
      expect((await client.get(path)).body).toMatchObject({ total: 0, items: [] });
    }
  });

  it('names bad input', async () => {
    const at = `/orgs/${oid}/crawls/${item}/pages`;
    expect(failing(await viewer.get(at, { sortBy: 'size' }))).toEqual([400, 'invalid_sort_by']);
    expect(failing(await viewer.get(at, { sortBy: 'url', sortDirection: 3 }))).toEqual([400, 'invalid_sort_direction']);
    expect(failing(await viewer.get(at, { sortBy: 'textMatch' }))).toEqual([400, 'qa_run_id_missing_for_qa_sort']);
    expect((await viewer.get(at, { page: 0 })).status).toBe(422);
    expect((await viewer.get(at, { ts: 'yesterday' })).status).toBe(422);
    expect((await viewer.get(`/orgs/${oid}/crawls/bad_id/pages`)).status).toBe(422);
    expect((await viewer.get(`${at}/not-a-uuid`)).status).toBe(422);
    expect(failing(await viewer.get(`${at}/${newId()}`))).toEqual([404, 'page_not_found']);
    expect(failing(await stranger.get(`/orgs/${otherOid}/crawls/${item}/pages/${pages[0]}`))).toEqual([
      404,
      'page_not_found',
    ]);
  });
});

describe('reviewing a page', () => {
  it('judges it, and takes the verdict back', async () => {
    const item = await anItem(under, oid);
    const [page] = await somePages(under, oid, item, [{}]);
    const at = `/orgs/${oid}/crawls/${item}/pages/${page}`;
    expect((await crawler.patch(at, { approved: false })).body).toEqual({ updated: true });
    const judged = (await viewer.get(at)).body;
    expect(judged).toMatchObject({ approved: false, modified: expect.stringMatching(/Z$/) });
    expect(judged.userid).toEqual(expect.any(String));
    await crawler.patch(at, {});
    expect((await viewer.get(at)).body.approved).toBeNull();
    expect((await viewer.patch(at, { approved: true })).status).toBe(403);
    expect((await crawler.patch(at, { approved: 'maybe' })).status).toBe(422);
    const elsewhere = `/orgs/${otherOid}/crawls/${item}/pages/${page}`;
    expect(failing(await stranger.patch(elsewhere, { approved: true }))).toEqual([404, 'page_not_found']);
  });

  it('keeps notes in their order, edits them in place, and deletes the listed ones', async () => {
    const item = await anItem(under, oid);
    const [page] = await somePages(under, oid, item, [{}]);
    const at = `/orgs/${oid}/crawls/${item}/pages/${page}`;
    const [a, b] = [await crawler.post(`${at}/notes`, { text: 'a' }), await crawler.post(`${at}/notes`, { text: 'b' })];
    expect(a.body).toEqual({
      added: true,
      data: {
        id: expect.any(String),
        text: 'a',
        created: expect.any(String),
        userid: expect.any(String),
        userName: expect.any(String),
      },
    });
    const edited = await crawler.patch(`${at}/notes`, { id: a.body.data.id, text: 'A' });
    expect(edited.body).toMatchObject({ updated: true, data: { id: a.body.data.id, text: 'A' } });
    const texts = async () => (await viewer.get(at)).body.notes.map(({ text }: { text: string }) => text);
    expect(await texts()).toEqual(['A', 'b']);
    expect((await viewer.get(`/orgs/${oid}/crawls/${item}/pages`, { reviewed: true })).body.total).toBe(1);
    expect((await crawler.post(`${at}/notes/delete`, { delete_list: [a.body.data.id, newId()] })).body).toEqual({
      deleted: true,
    });
    expect(await texts()).toEqual(['b']);
    await crawler.post(`${at}/notes/delete`, { delete_list: [b.body.data.id] });
    expect((await viewer.get(at)).body.notes).toEqual([]);
  });

  it('names its failures', async () => {
    const item = await anItem(under, oid);
    const [page] = await somePages(under, oid, item, [{}]);
    const at = `/orgs/${oid}/crawls/${item}/pages`;
    const long = await crawler.post(`${at}/${page}/notes`, { text: 'x'.repeat(5001) });
    expect([long.status, long.body.detail[0].loc]).toEqual([422, ['body', 'text']]);
    expect((await crawler.post(`${at}/${page}/notes`, {})).status).toBe(422);
    expect(failing(await crawler.post(`${at}/${newId()}/notes`, { text: 'x' }))).toEqual([404, 'page_not_found']);
    expect(failing(await crawler.patch(`${at}/${newId()}/notes`, { id: newId(), text: 'x' }))).toEqual([
      404,
      'page_not_found',
    ]);
    expect(failing(await crawler.patch(`${at}/${page}/notes`, { id: newId(), text: 'x' }))).toEqual([
      404,
      'page_note_not_found',
    ]);
    expect(failing(await crawler.post(`${at}/${newId()}/notes/delete`, {}))).toEqual([404, 'page_not_found']);
    expect((await crawler.post(`${at}/${page}/notes/delete`, { delete_list: ['x'] })).status).toBe(422);
  });
});

describe('pages of a QA run', () => {
  let item: string;
  let scored: string[];
  const run = 'qa-20260101000000-abc';
  const qa = (screenshotMatch: number | null) => ({
    qa: { [run]: { screenshotMatch, textMatch: 0.5, resourceCounts: null } },
  });
  beforeAll(async () => {
    item = await anItem(under, oid);
    scored = await somePages(under, oid, item, [qa(0), qa(0.4), qa(1), qa(null), {}]);
  });
  const list = (query: Record<string, string | number> = {}) =>
    viewer.get(`/orgs/${oid}/crawls/${item}/qa/${run}/pages`, query);

  it('are those with values of that run', async () => {
    const { body } = await list({ sortBy: 'screenshotMatch', sortDirection: -1 });
    expect([body.total, urls({ body })]).toEqual([4, ['2', '1', '0', '3']]);
    expect(body.items[0].qa).toEqual({ screenshotMatch: 1, textMatch: 0.5, resourceCounts: null });
  });

  it.each<[Record<string, string | number>, string[]]>([
    [{ gte: 0 }, ['0', '1', '2']],
    [{ gt: 0 }, ['1', '2']],
    [{ lte: 0 }, ['0']],
    [{ gt: 0, lt: 1 }, ['1']],
  ])('are filtered by %o under both names', async (bounds, expected) => {
    expect(urls(await list({ qaFilterBy: 'screenshotMatch', ...bounds })).sort()).toEqual(expected);
    expect(urls(await list({ filterQABy: 'screenshotMatch', ...bounds })).sort()).toEqual(expected);
    const ofCrawl = await viewer.get(`/orgs/${oid}/crawls/${item}/pages`, {
      qaRunId: run,
      qaFilterBy: 'screenshotMatch',
      ...bounds,
    });
    expect(urls(ofCrawl).sort()).toEqual(expected);
  });

  it('name bad filters', async () => {
    expect(failing(await list({ filterQABy: 'screenshotMatch' }))).toEqual([400, 'range_missing']);
    expect((await list({ qaFilterBy: 'colour', gt: 0 })).status).toBe(422);
    expect((await list({ qaFilterBy: 'textMatch', gt: 'much' })).status).toBe(422);
  });

  it('are shown one by one, with or without values', async () => {
    const at = `/orgs/${oid}/crawls/${item}/qa/${run}/pages`;
    expect((await viewer.get(`${at}/${scored[1]}`)).body.qa.screenshotMatch).toBe(0.4);
    expect((await viewer.get(`${at}/${scored[4]}`)).body.qa).toBeNull();
    expect(failing(await viewer.get(`${at}/${newId()}`))).toEqual([404, 'page_not_found']);
  });
});

describe('reading pages again', () => {
  const wacz = (ids: string[], urlOf = (id: string): string => `https://read.org/${id}`): Promise<Buffer> => {
    const lines = ids.map((id, n) =>
      JSON.stringify({ id, url: urlOf(id), title: `T${n}`, ts: '2026-01-01T00:00:00Z' }),
    );
    const header = JSON.stringify({ format: 'json-pages-1.0', id: 'pages' });
    return zipOf([
      { name: 'pages/pages.jsonl', content: [header, ...lines, 'not json', '{"url":"ftp://x/"}'].join('\n') },
    ]);
  };

  it('takes the pages from the files, and keeps what people said about them', async () => {
    const [kept, added, stale] = [newId(), newId(), newId()];
    const item = await anItem(under, oid, { contents: { 'again.wacz': await wacz([kept, added]) } });
    await somePages(under, oid, item, [{ _id: kept }, { _id: stale }]);
    const at = `/orgs/${oid}/crawls/${item}/pages`;
    await crawler.patch(`${at}/${kept}`, { approved: true });
    await crawler.post(`${at}/${kept}/notes`, { text: 'seen' });
    const collection = (await crawler.post(`/orgs/${oid}/collections`, { name: 'Read again', crawlIds: [item] })).body
      .id;
    const { body } = await crawler.post(`${at}/reAdd`);
    expect(body).toEqual({ started: expect.stringMatching(new RegExp(`^org-pages-${oid}-[0-9a-f]{10}$`)) });
    await settled(under);
    const pages = (await viewer.get(at, { sortBy: 'title', sortDirection: 1 })).body.items;
    expect(pages.map((page: { id: string }) => page.id)).toEqual([kept, added]);
    expect(pages[0]).toMatchObject({ approved: true, title: 'T0', filename: 'again.wacz', isSeed: true });
    expect(pages[0].notes).toHaveLength(1);
    expect((await crawler.get(`/orgs/${oid}/all-crawls/${item}`)).body).toMatchObject({
      pageCount: 2,
      uniquePageCount: 2,
    });
    expect((await viewer.get(`/orgs/${oid}/collections/${collection}`)).body.pageCount).toBe(2);
  });

  it('leaves the pages of a file that cannot be read', async () => {
    const item = await anItem(under, oid, { contents: { 'broken.wacz': Buffer.from('not a zip at all') } });
    const [page] = await somePages(under, oid, item, [{ filename: 'broken.wacz' }]);
    await crawler.post(`/orgs/${oid}/all-crawls/${item}/pages/reAdd`);
    await settled(under);
    expect((await viewer.get(`/orgs/${oid}/crawls/${item}/pages/${page}`)).status).toBe(200);
  });

  it('can be asked for all items of an org by a superuser', async () => {
    const org = await anOrg(under);
    const item = await anItem(under, org, { contents: { 'all.wacz': await wacz([newId()]) } });
    const upload = await anItem(under, org, {
      _id: `upload-${newId()}`,
      type: 'upload',
      contents: { 'up.wacz': await wacz(['x']) },
    });
    const admin = await under.admin();
    expect((await admin.post(`/orgs/${org}/uploads/all/pages/reAdd`)).status).toBe(200);
    await settled(under);
    expect((await admin.get(`/orgs/${org}/crawls/${item}/pages`)).body.total).toBe(0);
    expect((await admin.get(`/orgs/${org}/crawls/${upload}/pages`)).body.total).toBe(1);
    const owner = (await aMember(under, org, 40)).api;
    expect(failing(await owner.post(`/orgs/${org}/crawls/all/pages/reAdd`))).toEqual([403, 'Not Allowed']);
  });

  it('is refused for an item that is unknown or of another org, and to viewers', async () => {
    const item = await anItem(under, oid);
    expect(failing(await stranger.post(`/orgs/${otherOid}/crawls/${item}/pages/reAdd`))).toEqual([
      404,
      'crawl_not_found',
    ]);
    expect(failing(await crawler.post(`/orgs/${oid}/crawls/manual-1-2/pages/reAdd`))).toEqual([404, 'crawl_not_found']);
    expect((await viewer.post(`/orgs/${oid}/crawls/${item}/pages/reAdd`)).status).toBe(403);
  });
});

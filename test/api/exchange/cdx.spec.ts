import type { ApiClient } from '../../support/api-client.js';
import { anItem } from '../../support/archive.js';
import { waczWith, type Captured } from '../../support/exchange-archive.js';
import type { TwoOrgs } from '../../support/people.js';
import { describeOnStores, ExchangeStage } from '../../support/exchange-stage.js';
import type { AppUnderTest } from '../../support/start-app.js';

const HOST = 'https://cdx.example';
const MANY: Captured[] = Array.from({ length: 7_000 }, (_, n) => ({
  url: `${HOST}/page/${String(n).padStart(5, '0')}`,
  at: '2024-05-01T10:00:00Z',
}));
const START: Captured[] = [2022, 2023, 2024, 2025].map((year) => ({ url: `${HOST}/`, at: `${year}-06-15T12:30:45Z` }));
const ELSEWHERE: Captured[] = [
  { url: 'https://sub.cdx.example/', at: '2024-01-01T00:00:00Z' },
  { url: 'https://cdx.example:8443/port', at: '2024-01-01T00:00:00Z' },
  { url: 'https://cdx.example.org/', at: '2024-01-01T00:00:00Z' },
  { url: `${HOST}/picture.gif`, at: '2024-01-01T00:00:00Z', mime: 'image/gif' },
];

describeOnStores(
  (store) => `indexes of archives in ${store}`,
  (store) => {
    let stage: ExchangeStage;
    let under: AppUnderTest;
    let people: TwoOrgs;
    let viewer: ApiClient;
    let slug: string;
    let itemId: string;
    let collectionId: string;

    beforeAll(async () => {
      stage = await ExchangeStage.open(store);
      ({ under, people } = stage);
      viewer = people.viewer.api;
      slug = ((await viewer.get(`/orgs/${people.oid}`)).body as { slug: string }).slug;
      itemId = await anItem(under, people.oid, {
        contents: { 'a.wacz': await waczWith(MANY), 'b.wacz': await waczWith([...START, ...ELSEWHERE]) },
      });
      const other = await anItem(under, people.oid, {
        contents: { 'c.wacz': await waczWith([{ url: `${HOST}/`, at: '2021-01-01T00:00:00Z' }]) },
      });
      const made = await people.crawler.api.post(`/orgs/${people.oid}/collections`, {
        ...{ name: 'Indexed', access: 'public', crawlIds: [itemId, other] },
      });
      collectionId = (made.body as { id: string }).id;
    });
    afterAll(async () => {
      await stage?.close();
    });

    const linesOf = async (path: string, query: Record<string, string | string[]>, by = viewer): Promise<string[]> => {
      const { status, body } = await by.get<string>(path, query);
      expect([status, typeof body]).toEqual([200, 'string']);
      return body.split('\n').filter((line) => line !== '');
    };
    const ofItem = (query = {}): Promise<string[]> => linesOf(`/orgs/${people.oid}/all-crawls/${itemId}/cdx`, query);
    const ofPublic = (query = {}): Promise<string[]> =>
      linesOf(`/public/orgs/${slug}/collections/indexed/cdx`, query, under.api);

    it('of an item are merged, sorted, and each line names its archive', async () => {
      const lines = await ofItem();
      expect(lines).toHaveLength(MANY.length + START.length + ELSEWHERE.length);
      const keys = lines.map((line) => line.split(' ', 2).join(' '));
      expect(keys).toEqual([...keys].sort());
      const last = JSON.parse(lines.at(-1)!.replace(/^\S+ \S+ /, '')) as Record<string, string>;
      expect(['a.wacz', 'b.wacz']).toContain(last['wacz']);
      expect(last['filename']).toBe('data.warc.gz');
    });

    it('find an address, a prefix, a host and a domain', async () => {
      expect(await ofItem({ url: `${HOST}/page/06999` })).toHaveLength(1);
      expect(await ofItem({ url: 'cdx.example/page/03000' })).toHaveLength(1);
      expect(await ofItem({ url: `${HOST}/page/0001`, matchType: 'prefix' })).toHaveLength(10);
      expect(await ofItem({ url: `${HOST}/page/0001*` })).toHaveLength(10);
      const ofHost = MANY.length + START.length + 1;
      expect(await ofItem({ url: HOST, matchType: 'host' })).toHaveLength(ofHost);
      expect(await ofItem({ url: '*.cdx.example' })).toHaveLength(ofHost + 2);
      expect(await ofItem({ url: `${HOST}/nothing` })).toEqual([]);
    });

    it('are cut by time, number and field', async () => {
      const years = async (query: object): Promise<string[]> =>
        (await ofItem({ url: `${HOST}/`, output: 'text', fl: 'timestamp', ...query })).map((line) => line.slice(0, 4));
      expect(await years({})).toEqual(['2022', '2023', '2024', '2025']);
      expect(await years({ from: '2023' })).toEqual(['2023', '2024', '2025']);
      expect(await years({ to: '2023' })).toEqual(['2022', '2023']);
      expect(await years({ from: '20230615123046', to: '202406' })).toEqual(['2024']);
      expect(await years({ limit: '2' })).toEqual(['2022', '2023']);
      expect(await years({ sort: 'closest', closest: '20240101' })).toEqual(['2024', '2023', '2025', '2022']);
      expect(await years({ sort: 'closest', closest: '20240101', limit: '1' })).toEqual(['2024']);
      expect(await ofItem({ url: HOST, matchType: 'host', filter: 'mime:image' })).toHaveLength(1);
      expect(await ofItem({ url: HOST, matchType: 'host', filter: '!=mime:text/html' })).toHaveLength(1);
    });

    it('are written as lines, objects or fields', async () => {
      const [json = ''] = await ofItem({ url: `${HOST}/`, output: 'json', limit: '1' });
      expect(JSON.parse(json)).toMatchObject({
        ...{ urlkey: 'example,cdx)/', timestamp: '20220615123045', url: `${HOST}/`, status: '200', mime: 'text/html' },
      });
      const [some = ''] = await ofItem({ url: `${HOST}/`, output: 'json', fl: 'original,statuscode', limit: '1' });
      expect(JSON.parse(some)).toEqual({ original: `${HOST}/`, statuscode: '200' });
      const [text = ''] = await ofItem({ url: `${HOST}/`, output: 'text', limit: '1' });
      expect(text).toMatch(/^example,cdx\)\/ 20220615123045 https:\/\/cdx\.example\/ text\/html 200 sha\S+ \d+$/);
    });

    it('of a public collection need no login', async () => {
      expect(await ofPublic({ url: `${HOST}/` })).toHaveLength(START.length + 1);
      const none = await under.api.get(`/public/orgs/${slug}/collections/indexed/cdx`, {
        ...{ url: `${HOST}/none`, output: 'json' },
      });
      expect([none.status, none.body.detail]).toEqual([404, 'no_captures']);
      const path = `/orgs/${people.oid}/collections/${collectionId}/cdx`;
      expect(await linesOf(path, { url: `${HOST}/` })).toHaveLength(START.length + 1);
    });

    it('of a private collection, or of another org, are not there', async () => {
      const hidden = await people.crawler.api.post(`/orgs/${people.oid}/collections`, { name: 'Hidden' });
      expect(hidden.status).toBe(200);
      const ask = async (path: string, by: ApiClient): Promise<unknown[]> => {
        const { status, body } = await by.get(path, { url: HOST });
        return [status, body.detail];
      };
      expect(await ask(`/public/orgs/${slug}/collections/hidden/cdx`, under.api)).toEqual([
        404,
        'collection_not_found',
      ]);
      expect(await ask(`/public/orgs/none/collections/indexed/cdx`, under.api)).toEqual([404, 'collection_not_found']);
      const own = `/orgs/${people.oid}`;
      for (const path of [`${own}/all-crawls/${itemId}/cdx`, `${own}/collections/${collectionId}/cdx`])
        expect(await ask(path, people.stranger.api)).toEqual([404, 'org_not_found']);
      const foreign = `/orgs/${people.otherOid}`;
      expect((await ask(`${foreign}/all-crawls/${itemId}/cdx`, people.stranger.api))[0]).toBe(404);
      expect((await ask(`${foreign}/collections/${collectionId}/cdx`, people.stranger.api))[0]).toBe(404);
    });

    it.each([
      [{ url: HOST, limit: '-1' }, ['query', 'limit']],
      [{ url: HOST, limit: '0' }, ['query', 'limit']],
      [{ url: HOST, from: '20x' }, ['query', 'from']],
      [{ url: HOST, to: '-2024' }, ['query', 'to']],
      [{ url: HOST, matchType: 'regex' }, ['query', 'matchType']],
      [{ url: HOST, output: 'xml' }, ['query', 'output']],
      [{ url: 'x'.repeat(8_001) }, ['query', 'url']],
      [{ url: 'http://' }, ['query', 'url']],
      [{ url: HOST, sort: 'closest' }, ['query', 'closest']],
      [{ url: HOST, sort: 'closest', closest: '2024', limit: '10001' }, ['query', 'limit']],
      [{ url: HOST, filter: '~status:200' }, ['query', 'filter', 0]],
    ])('refuse what makes no query, case %#', async (query, loc) => {
      const { status, body } = await under.api.get(`/public/orgs/${slug}/collections/indexed/cdx`, query as never);
      expect([status, body.detail[0].loc]).toEqual([422, loc]);
    });

    it('have one page', async () => {
      const path = `/public/orgs/${slug}/collections/indexed/cdx`;
      const second = await under.api.get(path, { url: HOST, page: 1 });
      expect([second.status, second.body.detail]).toEqual([400, 'no_such_page']);
      expect((await under.api.get(path, { url: HOST, showNumPages: true })).body).toMatchObject({ pages: 1 });
    });

    it('are not read whole for one address', async () => {
      const began = performance.now();
      for (let n = 0; n < 50; n++)
        expect(await ofPublic({ url: `${HOST}/page/0${String(n * 100).padStart(4, '0')}` })).toHaveLength(1);
      process.stdout.write(`exchange: ${((performance.now() - began) / 50).toFixed(1)} ms a look-up (${store})\n`);
    });
  },
);

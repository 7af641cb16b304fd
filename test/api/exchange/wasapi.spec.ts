import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findArchiveClients } from '../../../scripts/provision/python.mjs';
import { uuid } from '../../../src/database/uuid-codec.js';
import type { WebdataOut } from '../../../src/exchange/dto/webdata.dto.js';
import { anItem } from '../../support/archive.js';
import { waczWith } from '../../support/exchange-archive.js';
import { aMember, anOrg, PASSWORD, sentMails, type Member, type TwoOrgs } from '../../support/people.js';
import { describeOnStores, ExchangeStage } from '../../support/exchange-stage.js';
import type { AppUnderTest } from '../../support/start-app.js';

const run = promisify(execFile);
const LIST = '/wasapi/v1/webdata';
const basic = (email: string, password = PASSWORD) => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

describeOnStores(
  (store) => `WASAPI over archives in ${store}`,
  (store) => {
    let stage: ExchangeStage;
    let under: AppUnderTest;
    let people: TwoOrgs;
    let viewer: Member;
    let slug: string;
    const bytes = new Map<string, Buffer>();
    const itemIds: string[] = [];
    let collectionId: string;

    beforeAll(async () => {
      stage = await ExchangeStage.open(store);
      ({ under, people } = stage);
      viewer = people.viewer;
      slug = (await viewer.api.get(`/orgs/${people.oid}`)).body.slug as string;
      for (let n = 0; n < 5; n++) {
        const contents: Record<string, Buffer> = {};
        for (const part of n === 0 ? ['0', '1'] : ['0']) {
          const name = `crawl-${n}-${part}.wacz`;
          contents[name] = await waczWith([{ url: `https://w.example/${n}/${part}`, at: '2025-01-01T00:00:00Z' }]);
          bytes.set(name, contents[name]);
        }
        const at = (day: number): Date => new Date(Date.UTC(2026, 0, 1 + n, day));
        itemIds.push(await anItem(under, people.oid, { contents, started: at(1), finished: at(2) }));
      }
      await anItem(under, people.oid, { contents: { 'failed.wacz': Buffer.from('x') }, state: 'failed' });
      await anItem(under, people.otherOid, { contents: { 'foreign.wacz': Buffer.from('foreign') } });
      const made = await people.crawler.api.post(`/orgs/${people.oid}/collections`, {
        ...{ name: 'Two of them', crawlIds: itemIds.slice(1, 3) },
      });
      collectionId = made.body.id as string;
    });
    afterAll(async () => {
      await stage?.close();
    });

    const list = async (query: Record<string, string | number | string[]> = {}, by = viewer) =>
      (await by.api.call<WebdataOut>('GET', LIST, { query })).body;
    const names = ({ files }: WebdataOut): string[] => files.map(({ filename }) => filename);
    const all = ['crawl-0-0.wacz', 'crawl-0-1.wacz', ...[1, 2, 3, 4].map((n) => `crawl-${n}-0.wacz`)];

    it('lists the files that show, with what a client needs of each', async () => {
      const found = await list();
      expect([found.count, found.next, found.previous, found['includes-extra']]).toEqual([6, null, null, false]);
      expect(found['request-url']).toBe(`${under.baseUrl}${LIST}`);
      expect(names(found)).toEqual(all);
      const content = bytes.get('crawl-1-0.wacz')!;
      expect(found.files[2]).toMatchObject({
        ...{ filename: 'crawl-1-0.wacz', filetype: 'wacz', account: slug, size: content.length, crawl: itemIds[1] },
        ...{ collection: collectionId, 'crawl-start': '2026-01-02T01:00:00Z', 'crawl-time': '2026-01-02T02:00:00Z' },
        checksums: { sha256: createHash('sha256').update(content).digest('hex') },
      });
    });

    it('gives the bytes at every location, by the same login', async () => {
      const [file] = (await list({ filename: 'crawl-3-0.wacz' })).files;
      expect(file!.locations).toHaveLength(2);
      for (const location of file!.locations) {
        const isOurs = location.startsWith(`${under.baseUrl}${LIST}/`);
        const answer = await fetch(location, { headers: isOurs ? basic(viewer.email) : {} });
        expect(answer.status).toBe(200);
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.get('crawl-3-0.wacz')!)).toBe(true);
      }
      const [ours = ''] = file!.locations;
      expect((await fetch(ours, { redirect: 'manual' })).status).toBe(401);
      expect((await fetch(ours, { redirect: 'manual', headers: basic(people.stranger.email) })).status).toBe(404);
      expect((await fetch(`${ours}x`, { redirect: 'manual', headers: basic(viewer.email) })).status).toBe(404);
    });

    it('filters by name, type, crawl, collection and time', async () => {
      const filtered = async (query: Record<string, string | string[]>): Promise<string[]> => {
        const found = await list(query);
        expect(found.count).toBe(found.files.length);
        return names(found);
      };
      expect(await filtered({ filename: 'crawl-0-*' })).toEqual(all.slice(0, 2));
      expect(await filtered({ filename: 'crawl-?-1.wacz;crawl-4*' })).toEqual(['crawl-0-1.wacz', 'crawl-4-0.wacz']);
      expect(await filtered({ filename: 'rawl-0-0.wacz' })).toEqual([]);
      expect(await filtered({ filename: 'crawl.0.0.wacz' })).toEqual([]);
      expect(await filtered({ filetype: 'WACZ' })).toEqual(all);
      expect(await filtered({ filetype: 'warc' })).toEqual([]);
      expect(await filtered({ crawl: itemIds[2]! })).toEqual(['crawl-2-0.wacz']);
      expect(await filtered({ crawl: [itemIds[2]!, itemIds[4]!] })).toEqual(['crawl-2-0.wacz', 'crawl-4-0.wacz']);
      for (const collection of [collectionId, 'two-of-them'])
        expect(await filtered({ collection })).toEqual(['crawl-1-0.wacz', 'crawl-2-0.wacz']);
      expect(await filtered({ collection: 'none-such' })).toEqual([]);
      expect(await filtered({ 'crawl-start-after': '2026-01-04T01:00:00Z' })).toEqual(all.slice(4));
      expect(await filtered({ 'crawl-start-before': '2026-01-02T01:00:00Z' })).toEqual(all.slice(0, 2));
      expect(await filtered({ 'crawl-time-after': '2026-01-05' })).toEqual(all.slice(5));
      expect(await filtered({ 'crawl-time-before': '2026-01-02' })).toEqual(all.slice(0, 2));
    });

    it('is paged by number and by its links, which lead through everything once', async () => {
      expect(names(await list({ page: 2, page_size: 4 }))).toEqual(all.slice(4));
      expect(names(await list({ page: 9 }))).toEqual([]);
      const seen: string[] = [];
      let next: string | null = `${under.baseUrl}${LIST}?page_size=1`;
      for (let page = 1; next !== null; page++) {
        const answer = await fetch(next, { headers: basic(viewer.email) });
        const body = (await answer.json()) as WebdataOut;
        expect([answer.status, body.count]).toEqual([200, 6]);
        seen.push(...names(body));
        next = body.next;
        expect(body.previous === null).toBe(page === 1);
        if (page === 3) {
          const before = await fetch(body.previous!, { headers: basic(viewer.email) });
          expect(names((await before.json()) as WebdataOut)).toEqual(all.slice(1, 2));
        }
      }
      expect(seen).toEqual(all);
    });

    it('shows each account to its members alone', async () => {
      expect(names(await list({}, people.stranger))).toEqual(['foreign.wacz']);
      const crawl = itemIds[0]!;
      expect(names(await list({ crawl }, people.stranger))).toEqual([]);
      expect(names(await list({ collection: collectionId }, people.stranger))).toEqual([]);
      for (const account of [slug, people.oid]) {
        expect(names(await list({ account }))).toEqual(all);
        const refused = await people.stranger.api.call('GET', LIST, { query: { account } });
        expect([refused.status, refused.body.detail]).toEqual([404, 'account_not_found']);
      }
      const both = await aMember(under, people.oid, 10);
      await under.connection
        .collection('organizations')
        .updateOne({ _id: uuid(people.otherOid) as never }, { $set: { [`users.${both.id}`]: 10 } });
      expect(names(await list({}, both)).sort()).toEqual([...all, 'foreign.wacz'].sort());
      let [seen, next] = [[] as string[], `${under.baseUrl}${LIST}?page_size=2` as string | null];
      while (next) {
        const body = (await (await fetch(next, { headers: basic(both.email) })).json()) as WebdataOut;
        seen = [...seen, ...names(body)];
        next = body.next;
      }
      expect(seen.sort()).toEqual([...all, 'foreign.wacz'].sort());
      expect(names(await list({}, await aMember(under, await anOrg(under), 40)))).toEqual([]);
    });

    it.each([
      [{ page: 0 }, ['query', 'page']],
      [{ page: -1 }, ['query', 'page']],
      [{ page_size: 2_001 }, ['query', 'page_size']],
      [{ page: 1_000_000, page_size: 2_000 }, ['query', 'page']],
      [{ cursor: 'nonsense' }, ['query', 'cursor']],
      [{ 'crawl-time-after': 'yesterday' }, ['query', 'crawl-time-after']],
      [{ filename: '*a*b*c*d*e*' }, ['query', 'filename']],
    ])('refuses what makes no query, case %#', async (query, loc) => {
      const { status, body } = await viewer.api.call('GET', LIST, { query: query as never });
      expect([status, body.detail[0].loc]).toEqual([422, loc]);
    });

    it('takes name and password, behind the same lock as the login', async () => {
      const ask = async (headers: Record<string, string>) => {
        const answer = await under.api.call('GET', LIST, { headers });
        return [answer.status, answer.headers.get('www-authenticate')];
      };
      const wanted = 'Basic realm="Muniment", charset="UTF-8"';
      expect(await ask({})).toEqual([401, wanted]);
      expect(await ask({ authorization: 'Basic !!!' })).toEqual([401, wanted]);
      expect(await ask(basic('nobody'))).toEqual([401, wanted]);
      expect(await ask(basic(viewer.email))).toEqual([200, null]);
      const member = await aMember(under, people.oid, 10);
      for (let n = 0; n < 5; n++) expect((await ask(basic(member.email, 'wrong')))[0]).toBe(401);
      expect((await ask(basic(member.email, 'wrong')))[0]).toBe(429);
      expect((await ask(basic(member.email)))[0]).toBe(429);
      const login = { username: member.email, password: PASSWORD };
      expect((await under.api.call('POST', '/auth/jwt/login', { form: login })).status).toBe(429);
      expect((await sentMails(under)).filter((mail) => mail.includes(`To: ${member.email}`))).toHaveLength(1);
    });

    it('lets a password open nothing else', async () => {
      for (const path of ['/users/me', '/orgs', `/orgs/${people.oid}/all-crawls`]) {
        const { status, headers } = await under.api.call('GET', path, { headers: basic(viewer.email) });
        expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      }
    });

    it("is pulled by the field's own client", async () => {
      const tools = await findArchiveClients();
      if (!tools) return;
      const folder = await mkdtemp(join(tmpdir(), 'muniment-wasapi-'));
      try {
        const client = join(tools.bin, 'wasapi-client');
        const args = ['-b', `${under.baseUrl}${LIST}?page_size=2`, '--profile', 'muniment', '-d', folder];
        const home = await mkdtemp(join(tmpdir(), 'muniment-home-'));
        await writeFile(
          join(home, '.wasapi-client'),
          `[muniment]\nusername = ${viewer.email}\npassword = ${PASSWORD}\n`,
        );
        const env = { ...process.env, HOME: home };
        const sizes = await run(client, [...args.slice(0, 4), '--size'], { env });
        expect(sizes.stdout).toMatch(/Number of Files:\s+6/);
        const { stdout } = await run(client, [...args, '-p', '2'], { env });
        expect(stdout).toMatch(/Successful downloads: 6/);
        expect((await readdir(folder)).filter((name) => name.endsWith('.wacz')).sort()).toEqual([...all].sort());
        for (const name of all) expect((await readFile(join(folder, name))).equals(bytes.get(name)!)).toBe(true);
        await rm(home, { recursive: true, force: true });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }, 120_000);
  },
);

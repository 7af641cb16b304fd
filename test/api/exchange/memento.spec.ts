import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { findArchiveClients } from '../../../scripts/provision/python.mjs';
import { anItem } from '../../support/archive.js';
import { recordsOf, waczOf, waczWith, type Captured } from '../../support/exchange-archive.js';
import type { TwoOrgs } from '../../support/people.js';
import { describeOnStores, ExchangeStage } from '../../support/exchange-stage.js';
import type { AppUnderTest } from '../../support/start-app.js';
import { warcRecord } from '../../support/warc.js';

const run = promisify(execFile);
const URI = 'https://memento.example/page?q=1&r=2';
const YEARS = [2019, 2021, 2023, 2025];
const CAPTURES: Captured[] = YEARS.map((year) => ({
  ...{ url: URI, at: `${year}-03-04T05:06:07Z`, body: `<!doctype html><title>${year}</title><script>1</script>` },
}));
const date = (year: number): string => new Date(Date.UTC(year, 2, 4, 5, 6, 7)).toUTCString();
const ts = (year: number): string => `${year}0304050607`;
const answered = (head: string, body: Buffer): Buffer => Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\n\r\n`), body]);

describeOnStores(
  (store) => `Memento over archives in ${store}`,
  (store) => {
    let stage: ExchangeStage;
    let under: AppUnderTest;
    let people: TwoOrgs;
    let base: string;

    beforeAll(async () => {
      stage = await ExchangeStage.open(store);
      ({ under, people } = stage);
      const slug = (await people.viewer.api.get(`/orgs/${people.oid}`)).body.slug as string;
      const site = 'https://memento.example';
      const more = [
        warcRecord({
          ...{ type: 'response', url: `${site}/moved`, date: '2024-01-01T00:00:00Z' },
          block: answered('301 Moved Permanently\r\nLocation: /new?a=b\r\nContent-Length: 0', Buffer.alloc(0)),
        }),
        warcRecord({
          ...{ type: 'response', url: `${site}/chunked`, date: '2024-01-01T00:00:00Z' },
          block: answered(
            '200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nSet-Cookie: a=b',
            Buffer.from('5\r\nfirst\r\n7\r\n second\r\n0\r\n\r\n'),
          ),
        }),
        warcRecord({
          ...{ type: 'response', url: `${site}/packed`, date: '2024-01-01T00:00:00Z' },
          block: answered('200 OK\r\nContent-Type: text/css\r\nContent-Encoding: gzip', gzipSync('a {}')),
        }),
        warcRecord({
          ...{ type: 'revisit', url: URI, date: '2026-03-04T05:06:07Z' },
          block: answered('200 OK\r\nContent-Type: text/html', Buffer.alloc(0)),
          headers: { 'WARC-Refers-To-Target-URI': URI, 'WARC-Refers-To-Date': '2025-03-04T05:06:07Z' },
        }),
      ];
      const itemId = await anItem(under, people.oid, {
        contents: { 'one.wacz': await waczWith(CAPTURES.slice(0, 2)) },
      });
      const other = await anItem(under, people.oid, {
        contents: { 'two.wacz': await waczOf([...recordsOf(CAPTURES.slice(2)), ...more]) },
      });
      const collections = `/orgs/${people.oid}/collections`;
      const crawlIds = [itemId, other];
      for (const [name, access] of [
        ['Shown', 'unlisted'],
        ['Hidden', 'private'],
      ])
        expect((await people.crawler.api.post(collections, { name, access, crawlIds })).status).toBe(200);
      base = `${under.baseUrl}/api/public/orgs/${slug}/collections`;
    });
    afterAll(async () => {
      await stage?.close();
    });

    const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${base}/${path}`, { method, headers, redirect: 'manual' });

    it('a TimeGate leads to the nearest memento, and to the last without a date', async () => {
      const gate = async (accept?: string): Promise<string | null> => {
        const answer = await get(`shown/timegate/${URI}`, accept ? { 'accept-datetime': accept } : {});
        expect([answer.status, answer.headers.get('vary')]).toEqual([302, 'accept-datetime']);
        return answer.headers.get('location');
      };
      const memento = (year: number): string => `${base}/shown/memento/${ts(year)}/${URI}`;
      expect(await gate()).toBe(memento(2026));
      expect(await gate('Wed, 01 Jan 2020 00:00:00 GMT')).toBe(memento(2019));
      expect(await gate('Thu, 01 Dec 2022 00:00:00 GMT')).toBe(memento(2023));
      expect(await gate('Tue, 01 Jan 1980 00:00:00 GMT')).toBe(memento(2019));
      const { headers } = await get(`shown/timegate/${URI}`, { 'accept-datetime': date(2021) }, 'HEAD');
      const links = headers.get('link')!.split(/, (?=<)/);
      expect(links).toEqual([
        `<${URI}>; rel="original"`,
        `<${base}/shown/timegate/${URI}>; rel="timegate"`,
        `<${base}/shown/timemap/link/${URI}>; rel="timemap"; type="application/link-format"`,
        `<${memento(2019)}>; rel="first prev memento"; datetime="${date(2019)}"`,
        `<${memento(2021)}>; rel="memento"; datetime="${date(2021)}"`,
        `<${memento(2023)}>; rel="next memento"; datetime="${date(2023)}"`,
        `<${memento(2026)}>; rel="last memento"; datetime="${date(2026)}"`,
      ]);
    });

    it('a TimeMap lists all mementos', async () => {
      const answer = await get(`shown/timemap/link/${URI}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/link-format']);
      const lines = (await answer.text()).trim().split(',\n');
      expect(lines).toHaveLength(3 + YEARS.length + 1);
      expect(lines[3]).toBe(
        `<${base}/shown/memento/${ts(2019)}/${URI}>; rel="first memento"; datetime="${date(2019)}"`,
      );
      expect(lines.at(-1)).toContain('rel="last memento"');
      const json = (await (await get(`shown/timemap/json/${URI}`)).json()) as Record<string, any>;
      expect(json['original_uri']).toBe(URI);
      expect(json['mementos'].list).toHaveLength(YEARS.length + 1);
      expect(json['mementos'].first).toEqual({
        ...{ datetime: '2019-03-04T05:06:07Z', uri: `${base}/shown/memento/${ts(2019)}/${URI}` },
      });
    });

    it('a memento leads to replay, and gives its archived bytes', async () => {
      const page = await get(`shown/memento/${ts(2021)}/${URI}`);
      expect([page.status, page.headers.get('memento-datetime')]).toEqual([200, date(2021)]);
      expect(page.headers.get('link')).toContain(`<${URI}>; rel="original"`);
      const shown = new URLSearchParams({ url: URI, ts: ts(2021) }).toString().replaceAll('&', '&amp;');
      expect(await page.text()).toContain(`/collections/shown?${shown}"`);
      const raw = await get(`shown/memento/${ts(2021)}id_/${URI}`);
      expect([raw.status, raw.headers.get('memento-datetime')]).toEqual([200, date(2021)]);
      expect(raw.headers.get('content-type')).toBe('text/html');
      expect(raw.headers.get('content-security-policy')).toMatch(/^sandbox;/);
      expect(await raw.text()).toBe(CAPTURES[1]!.body);
      const near = await get(`shown/memento/2022id_/${URI}`);
      expect([near.status, near.headers.get('location')]).toEqual([302, `${base}/shown/memento/${ts(2021)}id_/${URI}`]);
    });

    it('archived bytes come as they were sent, and can do nothing here', async () => {
      const at = 'shown/memento/20240101000000id_/https://memento.example';
      const moved = await get(`${at}/moved`);
      expect([moved.status, moved.headers.get('location')]).toEqual([301, `${base}/${at}/new?a=b`]);
      const chunked = await get(`${at}/chunked`);
      expect([await chunked.text(), chunked.headers.get('set-cookie')]).toEqual(['first second', null]);
      expect(chunked.headers.get('x-archive-orig-set-cookie')).toBe('a=b');
      const packed = await get(`${at}/packed`);
      expect(await packed.text()).toBe('a {}');
      expect(packed.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(packed.headers.get('x-content-type-options')).toBe('nosniff');
      const revisit = await get(`shown/memento/${ts(2026)}id_/${URI}`);
      expect([revisit.status, await revisit.text()]).toEqual([200, CAPTURES[3]!.body]);
      expect((await get(`shown/memento/${ts(2021)}id_/${URI}`, {}, 'HEAD')).headers.get('content-length')).toBe(
        String(CAPTURES[1]!.body!.length),
      );
    });

    it('takes the address in every form that clients send', async () => {
      for (const form of [encodeURIComponent(URI), URI.replace('//', '/'), URI.replace('https://', '')])
        expect((await get(`shown/timegate/${form}`)).status).toBe(302);
    });

    it('refuses what it has not, and what is no question', async () => {
      const told = async (path: string, headers = {}): Promise<unknown[]> => {
        const answer = await get(path, headers);
        return [answer.status, ((await answer.json()) as { detail: unknown }).detail];
      };
      for (const what of [
        'timegate',
        'timemap/link',
        'timemap/json',
        `memento/${ts(2021)}`,
        `memento/${ts(2021)}id_`,
      ]) {
        expect(await told(`shown/${what}/https://memento.example/none`)).toEqual([404, 'no_captures']);
        expect(await told(`hidden/${what}/${URI}`)).toEqual([404, 'collection_not_found']);
        expect(await told(`shown/${what}/ftp://memento.example/`)).toEqual([400, 'invalid_url']);
        expect(await told(`shown/${what}/http://a.example/${'x'.repeat(8_000)}`)).toEqual([400, 'invalid_url']);
      }
      for (const wrong of ['yesterday', '2024-01-01', 'Mon, 99 Jan 2024 00:00:00 GMT'])
        expect(await told(`shown/timegate/${URI}`, { 'accept-datetime': wrong })).toEqual([400, 'invalid_datetime']);
      expect((await get(`shown/memento/12/${URI}`)).status).toBe(422);
    });

    it("is understood by the field's own clients", async () => {
      const tools = await findArchiveClients();
      if (!tools) return;
      const memento = `
import json, sys, datetime, requests
from memento_client import MementoClient
client = MementoClient(timegate_uri=sys.argv[1], check_native_timegate=False)
original = requests.Response() # the site itself is not there
original.status_code = 200
found = client.get_memento_info(sys.argv[2], datetime.datetime(2022, 12, 1), req_uri_response=original)["mementos"]
print(json.dumps({k: [str(v["datetime"]), v["uri"][0], v.get("http_status_code")] for k, v in found.items()}))`;
      const gate = `${base}/shown/timegate/`;
      const { stdout } = await run(tools.python, ['-W', 'ignore', '-c', memento, gate, URI], { timeout: 60_000 });
      const found = JSON.parse(stdout) as Record<string, unknown[]>;
      expect(found['closest']).toEqual(['2023-03-04 05:06:07', `${base}/shown/memento/${ts(2023)}/${URI}`, 200]);
      expect(found['first']![0]).toBe('2019-03-04 05:06:07');
      expect(found['last']![0]).toBe('2026-03-04 05:06:07');
      const cdx = `
import json, sys, cdx_toolkit
index = cdx_toolkit.CDXFetcher(source=sys.argv[1])
times = lambda found: [one["timestamp"] for one in found]
print(json.dumps([times(index.get(sys.argv[2])), times(index.iter(sys.argv[2])), times(index.iter("memento.example/*", limit=3)),
  times(index.get("https://memento.example/none")), times(index.get(sys.argv[2], from_ts="2022", to="2023"))]))`;
      const asked = await run(tools.python, ['-W', 'ignore', '-c', cdx, `${base}/shown/cdx`, URI], {
        timeout: 120_000,
      });
      const all = [...YEARS, 2026].map(ts);
      const [got, iterated, limited, none, cut] = JSON.parse(asked.stdout) as string[][];
      expect([got, iterated, none, cut]).toEqual([all, all, [], [ts(2023)]]);
      expect(limited).toHaveLength(3);
    }, 240_000);
  },
);

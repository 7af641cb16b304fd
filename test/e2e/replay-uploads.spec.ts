import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';

import { findPythonTools } from '../../scripts/provision/python.mjs';
import type { ApiClient } from '../support/api-client.js';
import { settled } from '../support/archive.js';
import { launchBrowser, openPage } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type AppUnderTest, startApp } from '../support/start-app.js';
import { packedPerRecord, siteRecords } from '../support/warc.js';

const run = promisify(execFile);
/** Covers a browser on a machine that several test runs share. */
const SHOWN_MS = 90_000;
const SLOW_MS = 240_000;

/** Two documents and a picture, by the Python tools alone: WARC by warcio, WACZ by py-wacz. */
const MAKE_WARC = `
import sys, io
from warcio.warcwriter import WARCWriter
from warcio.statusandheaders import StatusAndHeaders
pages = {
  '/': ('text/html; charset=utf-8', '<!doctype html><title>Made elsewhere</title><h1>Grüße from py-wacz</h1><img src="/pixel.gif"><a href="/two">two</a>'.encode(), None),
  '/two': ('text/html', b'<!doctype html><title>Second</title><p>The second page</p>', '/'),
  '/pixel.gif': ('image/gif', bytes.fromhex('47494638396101000100800000ff000000000021f90400000000002c00000000010001000002024401003b'), '/two'),
}
site = 'https://elsewhere.example'
when = {'WARC-Date': '2024-02-03T04:05:06Z'}
with open(sys.argv[1], 'wb') as out:
    writer = WARCWriter(out, gzip=True)
    for path, (mime, body, referrer) in pages.items():
        answer = StatusAndHeaders('200 OK', [('Content-Type', mime)], protocol='HTTP/1.1')
        response = writer.create_warc_record(site + path, 'response', payload=io.BytesIO(body), http_headers=answer, warc_headers_dict=when)
        asked = StatusAndHeaders('GET ' + path + ' HTTP/1.1', [('Referer', site + referrer)] if referrer else [], is_http_request=True)
        request = writer.create_warc_record(site + path, 'request', http_headers=asked, warc_headers_dict=when)
        writer.write_request_response_pair(request, response)
`;

const tools = await findPythonTools();
const suite = tools ? describe : describe.skip;

suite('a WACZ made by another tool', () => {
  let app: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let folder: string;
  let browser: Browser;
  let wacz: Buffer;
  let item: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muniment-foreign-'));
    const [warc, path] = [join(folder, 'foreign.warc.gz'), join(folder, 'foreign.wacz')];
    await run(tools!.python, ['-c', MAKE_WARC, warc]);
    await run(join(tools!.bin, 'wacz'), ['create', '-f', warc, '-o', path, '--detect-pages']);
    wacz = await readFile(path);
    app = await startApp();
    api = await app.admin();
    oid = await app.defaultOrgId();
    browser = await launchBrowser();
    item = await uploaded('foreign.wacz', wacz);
  }, SLOW_MS);
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const settle = () => settled(app);
  async function uploaded(filename: string, bytes: Buffer): Promise<string> {
    const raw = new Uint8Array(bytes);
    const { body } = await api.put(`/orgs/${oid}/uploads/stream`, undefined, {
      query: { filename, name: filename },
      raw,
    });
    await settle();
    const { body: shown } = await api.get(`/orgs/${oid}/uploads/${body.id}`);
    expect(shown).toMatchObject({ state: 'complete' });
    return body.id as string;
  }
  async function downloaded(by: ApiClient, path: string): Promise<Buffer> {
    const response = await by.fetch('GET', path);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }
  async function aCollection(access: string, crawlIds: string[]): Promise<string> {
    const { body } = await api.post(`/orgs/${oid}/collections`, { name: randomUUID(), access, crawlIds });
    await settle();
    return body.id as string;
  }
  /** Where anybody finds a public collection. */
  async function publicPath(collection: string): Promise<string> {
    const { body: org } = await api.get(`/orgs/${oid}`);
    const { body } = await api.get(`/orgs/${oid}/collections/${collection}`);
    return `/public/orgs/${org.slug}/collections/${body.slug}`;
  }
  /** Addresses and times of the first pages that a collection shows. */
  async function pagesOf(by: ApiClient, collection: string, route: string): Promise<string[]> {
    const { body } = await by.get(`/orgs/${oid}/collections/${collection}/${route}`);
    return (body.initialPages as Record<string, string>[]).map(({ url, ts }) => `${url} ${ts}`).sort();
  }

  /** What the player shows of a page, in a browser that was never here before. */
  async function replayed(
    query: Record<string, string>,
    url: string,
    login = true,
  ): Promise<{ text: string; pictures: number }> {
    const page = await openPage(browser, { viewport: { width: 1280, height: 900 } });
    try {
      const link = new URL('/replay/', app.baseUrl);
      link.search = new URLSearchParams({ oid, url, ...query }).toString();
      if (login) link.hash = `auth_bearer=${api.token}`;
      await page.goto(link.href);
      return await eventually(async () => {
        // The player shows the archived page in a frame under its own replay prefix.
        const frame = page.frames().find((each) => each.url().endsWith(`mp_/${url}`));
        if (!frame)
          throw new Error(
            `frames: ${page
              .frames()
              .map((each) => each.url())
              .join(' ')}`,
          );
        const seen = await frame.evaluate(() => ({
          text: document.body.innerText.trim(),
          pictures: [...document.images].filter((image) => image.naturalWidth > 0).length,
          isComplete: document.readyState === 'complete',
        }));
        if (!seen.isComplete || seen.text === '') throw new Error('still loading');
        return { text: seen.text, pictures: seen.pictures };
      }, SHOWN_MS);
    } finally {
      await page.close();
    }
  }

  const FIRST = { text: expect.stringContaining('Grüße from py-wacz') as string, pictures: 1 };
  const PAGES = [
    'https://elsewhere.example/ 2024-02-03T04:05:06Z',
    'https://elsewhere.example/two 2024-02-03T04:05:06Z',
  ];
  const SITE_PAGES = ['https://warc.example/ 2023-05-29T02:53:12Z', 'https://warc.example/second 2023-05-29T02:53:12Z'];
  const SECOND = { text: 'The second page', pictures: 0 };

  it('lists its pages', async () => {
    const { body } = await api.get(`/orgs/${oid}/uploads/${item}/replay.json`);
    expect(body).toMatchObject({ pageCount: 2, uniquePageCount: 2, fileSize: wacz.length });
    const pages = (body.initialPages as Record<string, string>[]).map(({ url, ts }) => `${url} ${ts}`);
    expect(pages.sort()).toEqual(PAGES);
  });

  it(
    'replays alone',
    async () => {
      expect(await replayed({ item }, 'https://elsewhere.example/')).toEqual(FIRST);
      expect(await replayed({ item }, 'https://elsewhere.example/two')).toEqual(SECOND);
    },
    SLOW_MS,
  );

  it(
    'replays in a private collection, for those who log in',
    async () => {
      const other = await uploaded('site.warc.gz', packedPerRecord(siteRecords()));
      const collection = await aCollection('private', [item, other]);
      expect(await pagesOf(api, collection, 'replay.json')).toEqual([...PAGES, ...SITE_PAGES].sort());
      expect(await replayed({ collection }, 'https://elsewhere.example/')).toEqual(FIRST);
      expect((await app.api.get(`/orgs/${oid}/collections/${collection}/public/replay.json`)).status).toBe(404);
    },
    SLOW_MS,
  );

  it(
    'replays in a public collection, for anybody',
    async () => {
      const collection = await aCollection('public', [item]);
      expect(await pagesOf(app.api, collection, 'public/replay.json')).toEqual(PAGES);
      expect(await replayed({ collection, public: '1' }, 'https://elsewhere.example/', false)).toEqual(FIRST);
    },
    SLOW_MS,
  );

  it(
    'replays again from the combined download of the item',
    async () => {
      const again = await uploaded('again.wacz', await downloaded(api, `/orgs/${oid}/uploads/${item}/download`));
      expect(await replayed({ item: again }, 'https://elsewhere.example/')).toEqual(FIRST);
    },
    SLOW_MS,
  );

  /** Makes a collection of two items, and an upload of what it is downloaded as. */
  async function packedAgain(access: string): Promise<string> {
    const second = await uploaded('site.warc.gz', packedPerRecord(siteRecords()));
    const collection = await aCollection(access, [item, second]);
    const packed =
      access === 'public'
        ? await downloaded(app.api, `${await publicPath(collection)}/download`)
        : await downloaded(api, `/orgs/${oid}/collections/${collection}/download`);
    const again = await uploaded('all.wacz', packed);
    const { body } = await api.get(`/orgs/${oid}/uploads/${again}/replay.json`);
    expect(body).toMatchObject({ fileCount: 2, pageCount: 4 });
    return again;
  }

  it(
    'replays again from the combined download of a private collection, alone and in one',
    async () => {
      const again = await packedAgain('private');
      expect(await replayed({ item: again }, 'https://elsewhere.example/two')).toEqual(SECOND);
      const collection = await aCollection('private', [again]);
      expect(await pagesOf(api, collection, 'replay.json')).toEqual([...PAGES, ...SITE_PAGES].sort());
      expect(await replayed({ collection }, 'https://elsewhere.example/')).toEqual(FIRST);
    },
    SLOW_MS,
  );

  it(
    'replays again from the combined download that anybody gets of a public collection, in one',
    async () => {
      const collection = await aCollection('public', [await packedAgain('public')]);
      expect(await pagesOf(app.api, collection, 'public/replay.json')).toEqual([...PAGES, ...SITE_PAGES].sort());
      expect(await replayed({ collection, public: '1' }, 'https://elsewhere.example/', false)).toEqual(FIRST);
    },
    SLOW_MS,
  );

  it.each([
    ['packed per record', packedPerRecord(siteRecords())],
    ['plain', Buffer.concat(siteRecords())],
  ])(
    'is not needed for a WARC: one that is %s replays too',
    async (_label, bytes) => {
      const made = await uploaded('site.warc', bytes);
      expect((await replayed({ item: made }, 'https://warc.example/second')).text).toBe('Zweite Seite ü');
    },
    SLOW_MS,
  );
});

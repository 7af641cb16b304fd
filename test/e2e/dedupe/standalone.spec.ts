import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { findPythonTools } from '../../../scripts/provision/python.mjs';
import { OrgsRepository } from '../../../src/orgs/data/orgs.repository.js';
import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem } from '../../support/archive.js';
import { eventually } from '../../support/eventually.js';
import { waczOf } from '../../support/exchange-archive.js';
import { aMember, anOrg } from '../../support/people.js';
import { Player } from '../../support/player.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { WaczFile } from '../../support/wacz-file.js';
import { response, warcinfo, warcRecord } from '../../support/warc.js';

const SITE = 'https://standalone.example';
const PAGE = `${SITE}/`;
/** More lines than an index has that players read whole. */
const FILLERS = 3_100;
const SHOWN_MS = 90_000;
const timeOf = (day: number): string => `2025-03-0${String(day)}T04:05:06Z`;
const digestHeader = (body: string): Record<string, string> => ({
  'WARC-Payload-Digest': `sha256:${createHash('sha256').update(body).digest('hex')}`,
});

const picture = (width: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="8"><!--${'x'.repeat(1_000)}--></svg>`;
const page = (title: string): string =>
  `<!doctype html><title>${title}</title><p>${title}</p><img src="/changing.svg"><img src="/moved.svg">`;

/** A capture that is stored whole. */
const stored = (path: string, mime: string, body: string, day: number): Buffer =>
  response(`${SITE}${path}`, mime, body, { date: timeOf(day), headers: digestHeader(body) });

/** A capture whose body another WACZ has, under an address of its own. */
function referring(path: string, mime: string, body: string, to: { path: string; day: number; wacz: string }): Buffer {
  return warcRecord({
    type: 'revisit',
    url: `${SITE}${path}`,
    date: timeOf(3),
    contentType: 'application/http; msgtype=response',
    block: `HTTP/1.1 200 OK\r\nContent-Type: ${mime}\r\nContent-Length: ${String(body.length)}\r\n\r\n`,
    headers: {
      'WARC-Profile': 'http://netpreserve.org/warc/1.0/revisit/identical-payload-digest',
      'WARC-Refers-To-Target-URI': `${SITE}${to.path}`,
      'WARC-Refers-To-Date': timeOf(to.day),
      'WARC-Refers-To-Container': `file://${to.wacz}`,
      ...digestHeader(body),
    },
  });
}

describe('an item and what it refers to as one WACZ', () => {
  let under: AppUnderTest;
  let viewer: ApiClient;
  let oid: string;
  let folder: string;
  let third: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'standalone-'));
    under = await startApp();
    oid = await under.defaultOrgId();
    viewer = (await aMember(under, oid, 10)).api;
    const collectionIds = [
      (await (await under.admin()).post(`/orgs/${oid}/collections`, { name: 'One file' })).body.id as string,
    ];
    const fillers = Array.from({ length: FILLERS }, (_, n) => stored(`/filler/${String(n)}`, 'text/plain', `${n}`, 1));
    const first = await anItem(under, oid, {
      collectionIds,
      contents: {
        'first.wacz': await waczOf([
          warcinfo(),
          stored('/', 'text/html', page('First'), 1),
          stored('/changing.svg', 'image/svg+xml', picture(11), 1),
          stored('/zz/original.svg', 'image/svg+xml', picture(33), 1),
          ...fillers,
        ]),
      },
    });
    const second = await anItem(under, oid, {
      collectionIds,
      contents: {
        'second.wacz': await waczOf([
          warcinfo(),
          stored('/', 'text/html', page('Second'), 2),
          stored('/changing.svg', 'image/svg+xml', picture(22), 2),
        ]),
      },
    });
    // The page is that of the second, its picture again that of the first.
    third = await anItem(under, oid, {
      collectionIds,
      requiresCrawls: [first, second],
      contents: {
        'third.wacz': await waczOf([
          warcinfo(),
          referring('/', 'text/html', page('Second'), { path: '/', day: 2, wacz: 'second.wacz' }),
          referring('/changing.svg', 'image/svg+xml', picture(11), {
            path: '/changing.svg',
            day: 1,
            wacz: 'first.wacz',
          }),
          referring('/moved.svg', 'image/svg+xml', picture(33), {
            path: '/zz/original.svg',
            day: 1,
            wacz: 'first.wacz',
          }),
          stored('/last', 'text/html', '<!doctype html><title>Last</title>', 3),
        ]),
      },
    });
  }, 120_000);
  afterAll(async () => {
    await under?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const pathOf = (id: string): string => `/orgs/${oid}/all-crawls/${id}/download/wacz`;
  async function fetched(path: string): Promise<string> {
    const answer = await viewer.fetch('GET', path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/wacz+zip']);
    const file = join(folder, `${path.split('/').at(-3)!}.wacz`);
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    return file;
  }

  /** Widths of the pictures of the page, as it was on a day. */
  async function widths(file: string, day: number): Promise<[text: string, widths: number[]]> {
    const player = await Player.open(file);
    try {
      return await eventually(async () => {
        await player.show(PAGE, timeOf(day));
        return await eventually(
          async () => {
            const text = await player.textOf(PAGE);
            expect(text).toMatch(/First|Second/);
            const found = await player.inPage(PAGE, async () => {
              const images = [...document.images];
              await Promise.all(images.map((one) => one.decode().catch(() => undefined)));
              return images.map(({ naturalWidth }) => naturalWidth);
            });
            return [text!.split('\n')[0]!, found] as [string, number[]];
          },
          SHOWN_MS / 3,
          100,
        );
      }, SHOWN_MS);
    } finally {
      await player.close();
    }
  }

  it('shows what each record refers to, in a player that has nothing but that file', async () => {
    const file = await fetched(pathOf(third));
    const wacz = new WaczFile(file);
    expect(wacz.warcs.map(({ name }) => name)).toHaveLength(3);
    expect(new Set(wacz.warcs.map(({ name }) => name)).size).toBe(3);
    expect(wacz.members.map(({ name }) => name)).toContain('indexes/index.idx');
    expect(new Set(wacz.pages.map(({ ts }) => String(ts).slice(0, 10)))).toEqual(new Set(['2025-03-03']));
    expect(await widths(file, 3)).toEqual(['Second', [11, 33]]);
  }, 240_000);

  it('shows each page of a collection as it was', async () => {
    const { id } = (await viewer.get(`/orgs/${oid}/collections`)).body.items[0] as { id: string };
    const file = await fetched(`/orgs/${oid}/collections/${id}/download/wacz`);
    const days = new WaczFile(file).pages.map(({ ts }) => String(ts).slice(0, 10));
    expect([...new Set(days)].sort()).toEqual(['2025-03-01', '2025-03-02', '2025-03-03']);
    expect((await widths(file, 2))[1][0]).toBe(22);
    expect(await widths(file, 3)).toEqual(['Second', [11, 33]]);
  }, 240_000);

  it('is a WACZ to the validator of the field', async () => {
    const tools = await findPythonTools();
    if (!tools) return;
    execFileSync(join(tools.bin, 'wacz'), ['validate', '-f', await fetched(pathOf(third))]);
  });

  it('takes in files whose item was deleted, and custody says who downloaded it', async () => {
    const admin = await under.admin();
    const { requiresCrawls } = (await admin.get(`/orgs/${oid}/crawls/${third}`)).body as { requiresCrawls: string[] };
    expect((await admin.post(`/orgs/${oid}/crawls/delete`, { crawl_ids: requiresCrawls })).status).toBe(200);
    expect(new WaczFile(await fetched(pathOf(third))).warcs).toHaveLength(3);
    const { body } = await admin.get(`/orgs/${oid}/all-crawls/${third}/custody`);
    expect(body.downloads[0]).toMatchObject({ filename: `${third}-standalone.wacz` });
  });

  it('is refused to others, and of what is not there', async () => {
    expect((await under.api.get(pathOf(third))).status).toBe(401);
    const other = await anOrg(under);
    const stranger = (await aMember(under, other, 40)).api;
    expect((await stranger.get(pathOf(third))).status).toBe(404);
    expect((await stranger.get(`/orgs/${other}/all-crawls/${third}/download/wacz`)).status).toBe(404);
    const broken = await anItem(under, oid, { contents: { 'broken.wacz': Buffer.from('no archive at all') } });
    expect((await viewer.get(pathOf(broken))).body.detail).toBe('unreadable_archive');
    expect((await viewer.get(pathOf(await anItem(under, oid)))).body.detail).toBe('no_crawl_resources');
  });

  it('is read no further than its receiver takes it', async () => {
    // Several times what the sockets of both ends hold.
    const big = await waczOf([
      warcinfo(),
      ...Array.from({ length: 64 }, (_, n) =>
        stored(`/big/${String(n)}`, 'text/plain', randomBytes(512 * 1024).toString('hex'), 1),
      ),
    ]);
    const id = await anItem(under, oid, { contents: { 'big.wacz': big } });
    const org = (await under.app.get(OrgsRepository, { strict: false }).findById(oid))!;
    const store = under.app.get(Storages, { strict: false }).primaryOf(org);
    const get = store.get.bind(store);
    const bodies: Readable[] = [];
    let read = 0;
    store.get = async (...args) => {
      const answer = await get(...args);
      bodies.push(answer.body);
      const push = answer.body.push.bind(answer.body);
      answer.body.push = (chunk: Buffer | null, ...more) => {
        read += chunk?.length ?? 0;
        return push(chunk, ...more);
      };
      return answer;
    };
    const abort = new AbortController();
    try {
      const cut = await fetch(new URL(`/api${pathOf(id)}`, under.baseUrl), {
        headers: { authorization: `Bearer ${viewer.token}` },
        signal: abort.signal,
      });
      await cut.body!.getReader().read();
      let before = -1;
      await eventually(() => {
        const [last, now] = [before, read];
        before = now;
        expect(now).toBe(last);
      });
      expect(read).toBeLessThan(big.length * 0.75);
      abort.abort();
      await eventually(() => expect(bodies.every((body) => body.destroyed)).toBe(true));
    } finally {
      store.get = get;
    }
  });
});

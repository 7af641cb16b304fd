import type { Frame, Page } from 'playwright-core';
import { Console } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { ADMIN } from '../../support/start-app.js';
import { packedPerRecord, response, warcinfo } from '../../support/warc.js';

const BOUND_MS = 240_000;
const URL_OF_PAGE = 'https://hostile.example/';

/** What a script of the archived page tries. It returns what came of each try. */
const ATTACK = `async (target) => {
  const tries = {};
  const attempt = async (name, work) => {
    try { tries[name] = String(await work()); } catch (error) { tries[name] = 'refused: ' + error.name; }
  };
  const held = () => [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie].join();
  const ask = async (origin, path, init) => (await fetch(origin + path, init)).status;
  await attempt('document of the console', () => top.document.title);
  await attempt('storage of the console', () => top.localStorage.getItem('muniment.session'));
  await attempt('address of the console', () => top.location.href);
  await attempt('login in the storages', () => held().includes('muniment.session'));
  await attempt('leads the console away', () => { top.location.href = 'about:blank'; return 'done'; });
  for (const origin of [target.console, target.replay]) {
    await attempt('me of ' + origin, () => ask(origin, '/api/users/me'));
  }
  return tries;
}`;
const HTML = `<!doctype html><title>Hostile</title><h1>Nothing to see</h1>
<script>window.attack = ${ATTACK};</script>`;

type Tries = Readonly<Record<string, string>>;

describe('an archive with a hostile page', () => {
  let under: Console;
  let oid: string;
  let slug: string;
  let login: string;
  let item: string;
  let other: string;

  async function upload(name: string): Promise<string> {
    const body = packedPerRecord([warcinfo(), response(URL_OF_PAGE, 'text/html', HTML)]);
    const address = `${under.service.baseUrl}/api/orgs/${oid}/uploads/stream?filename=${name}.warc.gz&name=${name}`;
    const headers = { authorization: `Bearer ${login}`, 'content-type': 'application/octet-stream' };
    const answer = await fetch(address, { method: 'PUT', headers, body: new Uint8Array(body) });
    const { id } = (await answer.json()) as { id: string };
    await eventually(async () => {
      const { state } = await under.service.call('GET', `/orgs/${oid}/all-crawls/${id}/replay.json`);
      expect(state).toBe('complete');
    }, 60_000);
    return id;
  }

  beforeAll(async () => {
    under = await Console.open();
    ({ id: oid, slug } = await under.org());
    const form = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password });
    const answer = await fetch(`${under.service.baseUrl}/api/auth/jwt/login`, { method: 'POST', body: form });
    login = ((await answer.json()) as { access_token: string }).access_token;
    item = await upload('hostile');
    other = await upload('other');
  }, BOUND_MS);
  afterAll(async () => under?.close());

  /** The frame of the archived page itself. */
  const archived = (page: Page): Promise<Frame> =>
    eventually(async () => {
      const frame = page.frames().find((one) => one.url().endsWith(`mp_/${URL_OF_PAGE}`));
      if (!frame)
        throw new Error(
          `frames: ${page
            .frames()
            .map((one) => one.url())
            .join(' ')}`,
        );
      expect(await frame.title()).toBe('Hostile');
      return frame;
    }, 90_000);

  const status = async (origin: string, path: string, token: string, method = 'GET'): Promise<number> =>
    (await fetch(`${origin}/api${path}`, { method, headers: { authorization: `Bearer ${token}` } })).status;

  it(
    'replays in the console, and reaches neither its login nor its API',
    async () => {
      // A refused navigation is told on the console of whoever is framed.
      const page = await under.person(undefined, undefined, /navigat/i);
      await page.goto(
        `${under.service.baseUrl}/o/${slug}/items/${item}?tab=replay&url=${encodeURIComponent(URL_OF_PAGE)}`,
      );
      const frame = await archived(page);
      expect(await page.evaluate(() => localStorage.getItem('muniment.session'))).toBeTruthy();
      const target = { console: under.service.baseUrl, replay: under.replayOrigin, oid };

      // The page's own script ran. The player rewrites such scripts; this is one that got around the rewriting.
      expect(await frame.evaluate(() => 'attack' in window)).toBe(true);
      const tries = await frame.evaluate<Tries>(`(${ATTACK})(${JSON.stringify(target)})`);
      expect(tries).toMatchObject({
        'document of the console': 'refused: SecurityError',
        'storage of the console': 'refused: SecurityError',
        'address of the console': 'refused: SecurityError',
        'leads the console away': 'refused: SecurityError',
        'login in the storages': 'false',
      });
      for (const [name, result] of Object.entries(tries))
        if (name.startsWith('me ')) expect([name, result]).toEqual([name, expect.stringMatching(/^refused|^40[14]/)]);
      expect(page.url()).toContain(`/items/${item}?tab=replay`);
      const kept = await page
        .mainFrame()
        .childFrames()[0]
        ?.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
      expect(kept).not.toContain(login);
      await opensNothingElse(/[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/.exec(kept ?? '')?.[0] ?? '');
      expect(under.complaints).toEqual([]);
      await page.context().close();
    },
    BOUND_MS,
  );

  /** The token that the script can find opens this archive, on both origins, and nothing else on either. */
  async function opensNothingElse(token: string): Promise<void> {
    expect(token).not.toBe('');
    const { baseUrl } = under.service;
    expect(await status(under.replayOrigin, `/orgs/${oid}/all-crawls/${item}/replay.json`, token)).toBe(200);
    const refused = [
      `/orgs/${oid}/all-crawls/${other}/replay.json`,
      `/orgs/${oid}/all-crawls/${item}/download`,
      `/orgs/${oid}/all-crawls`,
      `/orgs/${oid}`,
      '/users/me',
    ];
    for (const path of refused) {
      expect([path, await status(baseUrl, path, token)]).toEqual([path, 401]);
      expect([path, await status(under.replayOrigin, path, token)]).toEqual([path, expect.any(Number)]);
      expect([401, 404]).toContain(await status(under.replayOrigin, path, token));
    }
    for (const origin of [baseUrl, under.replayOrigin])
      expect([401, 404]).toContain(await status(origin, '/auth/jwt/replay', token, 'POST'));
  }

  it('finds nothing on its origin that a whole login would open', async () => {
    for (const path of ['/users/me', `/orgs/${oid}`, `/orgs/${oid}/all-crawls`, '/settings'])
      expect([path, await status(under.replayOrigin, path, login)]).toEqual([path, 404]);
    const home = await fetch(under.replayOrigin);
    expect([home.status, home.headers.get('access-control-allow-origin')]).toEqual([404, null]);
  });

  it('is shown by the console alone where a link names the archive on the console’s own origin', async () => {
    const link = `${under.service.baseUrl}/replay/?oid=${oid}&crawl=${item}&url=${encodeURIComponent(URL_OF_PAGE)}`;
    const answer = await fetch(link, { redirect: 'manual' });
    expect(answer.status).toBe(302);
    const shown = new URLSearchParams({ tab: 'replay', url: URL_OF_PAGE });
    expect(answer.headers.get('location')).toBe(`/o/${oid}/items/${item}?${shown.toString()}`);
  });
});

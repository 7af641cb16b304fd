import type { Page } from 'playwright-core';
import { axeFindings, Console, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { ADMIN } from '../../support/start-app.js';
import { response, warcinfo } from '../../support/warc.js';

const BOUND_MS = 240_000;
/** Words as elements and scripts, as a template of ours, and as a formula. */
const HOSTILE = `=1+1 <img src=x onerror="window.ran = 1"> {name} '{0}' <b>bold</b> </script><script>window.ran = 2</script>`;
/** A Hebrew title; then a character that turns all round that follows it, and is never ended. */
const TURNED = 'ארכיון העיר \u202Egpj.exe';
const LONG = `Un${'believably'.repeat(40)}`;
/** The most characters of a collection's name. */
const COLLECTION_NAME = 80;
const NAMES = [HOSTILE, TURNED, LONG] as const;

describe('names, titles and descriptions that mean harm', () => {
  let desk: Console;
  let org: { id: string; slug: string };
  let page: Page;
  const ids = { items: [] as string[], workflows: [] as string[], collections: [] as string[] };
  const slugs: string[] = [];

  beforeAll(async () => {
    desk = await Console.open();
    org = await desk.org();
    await desk.service.call('POST', `/orgs/${org.id}/rename`, {
      ...{ name: '<img src=x onerror="window.ran=4"> {org} \u202E', slug: 'harmed' },
    });
    org = await desk.org();
    await desk.service.call('POST', `/orgs/${org.id}/public-profile`, {
      ...{ enablePublicProfile: true, publicDescription: HOSTILE, publicUrl: 'https://example.org/' },
    });
    for (const name of NAMES) {
      const crawlId = await uploaded(name);
      ids.items.push(crawlId);
      const body = { name, description: name, tags: ['<i>tag</i>', TURNED] };
      await desk.service.call('PATCH', `/orgs/${org.id}/uploads/${crawlId}`, body);
      const made = {
        name: name.slice(0, COLLECTION_NAME),
        description: name,
        caption: name.slice(0, 150),
        crawlIds: [crawlId],
        access: 'public',
      };
      const slug = `kept-${String(slugs.length)}`;
      slugs.push(slug);
      const { id } = await desk.service.call<{ id: string }>('POST', `/orgs/${org.id}/collections`, { ...made, slug });
      ids.collections.push(id);
      const config = { seeds: [{ url: 'https://example.org/?<script>window.ran=3</script>' }] };
      const workflow = await desk.service.call<{ id: string }>('POST', `/orgs/${org.id}/crawlconfigs/`, {
        ...{ name, description: name, tags: ['<i>tag</i>', TURNED], config },
      });
      ids.workflows.push(workflow.id);
    }
    page = await desk.person();
  }, BOUND_MS);
  afterAll(() => desk?.close());
  afterEach(() => expect(desk.complaints.splice(0)).toEqual([]));

  /** An upload whose only page has the title too. */
  async function uploaded(name: string): Promise<string> {
    const form = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password });
    const login = await fetch(`${desk.service.baseUrl}/api/auth/jwt/login`, { method: 'POST', body: form });
    const { access_token } = (await login.json()) as { access_token: string };
    const query = new URLSearchParams({ filename: 'one.warc', name });
    const escaped = name.replace(/&/g, '&amp;').replace(/</g, '&lt;');
    const html = `<meta charset="utf-8"><title>${escaped}</title>`;
    const answer = await fetch(`${desk.service.baseUrl}/api/orgs/${org.id}/uploads/stream?${String(query)}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/octet-stream' },
      body: new Uint8Array(Buffer.concat([warcinfo(), response('https://example.org/', 'text/html', html)])),
    });
    const { id } = (await answer.json()) as { id: string };
    await eventually(async () => {
      const { state } = await desk.service.call<{ state: string }>('GET', `/orgs/${org.id}/uploads/${id}`);
      expect(state).toBe('complete');
    }, 60_000);
    return id;
  }

  /** The page shows the words as words, runs none of them, is read from left to right and is no wider than it is. */
  async function isHarmless(on: Page, words: string): Promise<void> {
    await on.getByText(words.slice(0, COLLECTION_NAME)).first().waitFor();
    expect(await on.evaluate('window.ran')).toBeUndefined();
    expect(await on.locator('main img[src="x"], main script, main b').count()).toBe(0);
    expect(await on.locator('main').evaluate((main) => getComputedStyle(main).direction)).toBe('ltr');
    const { scrollWidth, clientWidth } = await on.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      clientWidth: document.documentElement.clientWidth,
    }));
    expect({ at: on.url(), isTooWide: scrollWidth > clientWidth }).toEqual({ at: on.url(), isTooWide: false });
  }

  it(
    'stay words in every list, and turn no row round',
    async () => {
      for (const [path, table] of [
        ['/items', 'Archived items'],
        ['/uploads', 'Uploaded archives'],
        ['/workflows', 'Workflows'],
        ['/collections', 'Collections'],
      ] as const) {
        await page.goto(`${desk.service.baseUrl}/o/${org.slug}${path}`);
        const rows = page.getByRole('table', { name: table });
        await rows.waitFor();
        for (const name of NAMES) await isHarmless(page, name);
        const cells = rows.getByRole('row').filter({ hasText: 'ארכיון' }).first().getByRole('cell');
        const places = await cells.evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().left));
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(await axeFindings(page)).toEqual([]);
        await picture(page, `hostile${path.replace('/', '-')}`);
      }
      await page.goto(`${desk.service.baseUrl}/o/${org.slug}`);
      await isHarmless(page, HOSTILE);
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'hostile-dashboard');
    },
    BOUND_MS,
  );

  it(
    'stay words on the pages of an item, a workflow and a collection',
    async () => {
      for (const [n, name] of NAMES.entries()) {
        const paths = [
          ...['overview', 'pages', 'files', 'settings'].map((tab) => `/items/${ids.items[n] ?? ''}?tab=${tab}`),
          ...['', '?tab=settings'].map((rest) => `/workflows/${ids.workflows[n] ?? ''}${rest}`),
          `/workflows/${ids.workflows[n] ?? ''}/revisions`,
          ...['items', 'pages', 'about', 'sharing'].map((tab) => `/collections/${ids.collections[n] ?? ''}?tab=${tab}`),
        ];
        for (const path of paths) {
          await page.goto(`${desk.service.baseUrl}/o/${org.slug}${path}`);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await isHarmless(page, name);
        }
        await picture(page, `hostile-sharing-${String(n)}`);
        await page.goto(`${desk.service.baseUrl}/o/${org.slug}/workflows/${ids.workflows[n] ?? ''}/edit`);
        const field = page.getByLabel('Name', { exact: true });
        await field.waitFor();
        expect(await field.inputValue()).toBe(name);
      }
    },
    BOUND_MS,
  );

  it(
    'stay words on the public pages',
    async () => {
      const visitor = await desk.visitor();
      await visitor.goto(`${desk.service.baseUrl}/explore/${org.slug}`);
      for (const name of NAMES) await isHarmless(visitor, name);
      expect(await axeFindings(visitor)).toEqual([]);
      await picture(visitor, 'hostile-public');
      for (const [n, slug] of slugs.entries()) {
        await visitor.goto(`${desk.service.baseUrl}/explore/${org.slug}/collections/${slug}`);
        await isHarmless(visitor, NAMES[n] ?? '');
        expect(await axeFindings(visitor)).toEqual([]);
      }
      await visitor.context().close();
    },
    BOUND_MS,
  );

  it(
    'turn round no sentence that has them',
    async () => {
      await page.goto(`${desk.service.baseUrl}/o/${org.slug}/workflows`);
      await page.getByRole('button', { name: /^More actions for .{0,1}ארכיון/u }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('gpj.exe').first().waitFor();
      // First strong isolate … pop directional isolate: what a name turns round ends with the name.
      expect(await dialog.textContent()).toContain(`\u2068${TURNED}\u2069`);
      await picture(page, 'hostile-question');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    },
    BOUND_MS,
  );
});

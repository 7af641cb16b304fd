import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Console } from '../../support/console.js';
import { startTestSite } from '../../support/site/site.js';

const BOUND_MS = 240_000;
const WORKFLOW_PAGE = /\/workflows\/[0-9a-f-]{36}$/;

interface Stored {
  readonly config: Readonly<Record<string, unknown>>;
  readonly tags: readonly string[];
  readonly lastCrawlState: string | null;
}

describe('what workflows are made of, and many at once', () => {
  let console: Console;
  let site: Awaited<ReturnType<typeof startTestSite>>;
  let page: Page;
  let folder: string;
  let org: { id: string; slug: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'proxies-'));
    const proxies = [
      { id: 'library', label: 'Reading room', url: 'socks5://127.0.0.1:1', shared: true },
      { id: 'abroad', label: 'Abroad', url: 'socks5://127.0.0.1:2', shared: true },
    ];
    await writeFile(join(folder, 'proxies.json'), JSON.stringify(proxies));
    await writeFile(join(folder, 'update'), '1');
    const env = {
      CRAWLER_PROXIES_JSON: join(folder, 'proxies.json'),
      CRAWLER_PROXIES_LAST_UPDATE: join(folder, 'update'),
    };
    [console, site] = await Promise.all([Console.open(env), startTestSite()]);
    org = await console.org();
    page = await console.person();
  }, BOUND_MS);
  afterAll(async () => {
    await console?.close();
    await site?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const at = (path: string) => page.goto(`${console.service.baseUrl}/o/${org.slug}${path}`);
  const stored = (id: string) => console.service.call<Stored>('GET', `/orgs/${org.id}/crawlconfigs/${id}`);
  const saved = async (): Promise<Stored> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(WORKFLOW_PAGE);
    return stored(page.url().split('/').at(-1) ?? '');
  };

  it(
    'starts at the addresses of a file',
    async () => {
      await at('/workflows/new');
      await page.getByText('A file of addresses', { exact: true }).click();
      const asked = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      const lines = Array.from({ length: 12 }, (_, n) => `${site.url}/deep/${String(n)}.html`).join('\n');
      await (
        await asked
      ).setFiles({ name: 'addresses.txt', mimeType: 'text/plain', buffer: Buffer.from(`${lines}\n`) });
      await page.getByText('12 addresses').waitFor();
      const { config } = await saved();
      expect(config).toMatchObject({ seedFileId: expect.any(String) });
      expect(console.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'looks for a sitemap, and finds links where it is told to',
    async () => {
      await at('/workflows/new');
      await page.getByLabel('Start at these addresses').fill(`${site.url}/`);
      await page.getByRole('switch', { name: 'Look for a sitemap' }).check();
      await page.getByRole('button', { name: 'Depth, links, robots.txt' }).click();
      await page.getByRole('textbox', { name: 'Where links are found' }).fill('a[href] without an arrow');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Each line has to be a CSS selector').waitFor();
      await page.getByRole('textbox', { name: 'Where links are found' }).fill('nav a[href]->href\n[data-to]->@data-to');
      await page.getByRole('textbox', { name: 'Depth' }).fill('2');
      const { config } = await saved();
      expect(config).toMatchObject({
        useSitemap: true,
        selectLinks: ['nav a[href]->href', '[data-to]->@data-to'],
        depth: 2,
      });
      expect(console.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'crawls by the proxy that is chosen, until it is taken away again',
    async () => {
      await console.service.call('POST', `/orgs/${org.id}/proxies`, { allowSharedProxies: true, allowedProxies: [] });
      await at('/workflows/new');
      await page.getByLabel('Start at these addresses').fill(`${site.url}/`);
      await page.getByRole('button', { name: 'User agent, proxy, log-in check' }).click();
      await page.getByRole('combobox', { name: 'Proxy' }).click();
      await page.getByRole('option', { name: 'Abroad' }).click();
      expect(await saved()).toMatchObject({ proxyId: 'abroad' });
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('tabpanel').getByText('Abroad').waitFor();
      expect(console.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'tags and starts all that are selected',
    async () => {
      const make = (name: string) =>
        console.service.call<{ id: string }>('POST', `/orgs/${org.id}/crawlconfigs/`, {
          ...{ name, tags: ['old'], config: { seeds: [{ url: `${site.url}/${name}.html` }], scopeType: 'page' } },
        });
      const made = await Promise.all(['One of many', 'Two of many'].map(make));
      await at('/workflows?name=One%20of%20many');
      await page.getByRole('link', { name: 'One of many' }).waitFor();
      await at('/workflows');
      for (const name of ['One of many', 'Two of many']) await page.getByLabel(`Select ${name}`).check();
      const bar = page.getByRole('toolbar');
      await bar.getByText('2 selected').waitFor();
      await bar.getByRole('button', { name: 'Add tags' }).click();
      const dialog = page.getByRole('dialog');
      const tags = dialog.getByRole('combobox', { name: 'Tags' });
      await tags.fill('weekly');
      await tags.press('Enter');
      await dialog.getByRole('button', { name: 'Add tags' }).click();
      await page.getByText('2 workflows have the tags now.').waitFor();
      for (const { id } of made) expect((await stored(id)).tags).toEqual(['old', 'weekly']);

      await bar.getByRole('button', { name: 'Run' }).click();
      await page.getByText('2 crawls are started.').waitFor();
      const crawls = await Promise.all(
        made.map(async ({ id }) => {
          const query = `/orgs/${org.id}/crawls?cid=${id}`;
          return (await console.service.call<{ items: { id: string }[] }>('GET', query)).items;
        }),
      );
      expect(crawls.map((items) => items.length)).toEqual([1, 1]);
      expect(console.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'leads from one org to another',
    async () => {
      const { id } = await console.service.call<{ id: string }>('POST', '/orgs/create', {
        ...{ name: 'The other archive', slug: 'the-other-archive' },
      });
      expect(id).toEqual(expect.any(String));
      await at('/collections');
      await page.reload();
      await page.getByRole('button', { name: /^Switch org:/ }).click();
      await page.getByRole('textbox', { name: 'Switch org' }).fill('other');
      await page.getByRole('option', { name: 'The other archive' }).click();
      await page.waitForURL(/\/o\/the-other-archive$/);
      await page.getByRole('button', { name: 'Switch org: The other archive' }).waitFor();
      expect(console.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { launchPlainBrowser } from '../../support/browser.js';
import { axeFindings, Console, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { startTestSite } from '../../support/site/site.js';

const BOUND_MS = 240_000;
const NAME = 'Pictures of the river';
/** Everything that a description could try: none of it may become an element that runs. */
const HOSTILE = [
  '# The river',
  '**every week**',
  '<script>window.ran = 1</script>',
  '<img src=x onerror="window.ran = 2">',
  '[link](javascript:window.ran=3)',
  '<svg onload="window.ran = 4"></svg>',
  '[site](https://example.org)',
].join('\n\n');

describe('a collection', () => {
  let site: Awaited<ReturnType<typeof startTestSite>>;
  let consoles: Console;
  let org: { id: string; slug: string };
  let page: Page;

  beforeAll(async () => {
    site = await startTestSite();
    consoles = await Console.open();
    org = await consoles.org();
    // Workflows have a journey of their own.
    const config = { seeds: [{ url: `${site.url}/gallery/` }], scopeType: 'prefix', limit: 3 };
    await consoles.crawled(org.id, { name: 'Gallery', config });
    page = await consoles.person();
  }, BOUND_MS);
  afterAll(async () => {
    await consoles?.close();
    await site?.close();
  });

  const heading = (name: string, on = page) => on.getByRole('heading', { name, level: 1 });
  const replays = (visitor: Page): Promise<void> =>
    eventually(
      async () => {
        const texts = await Promise.all(visitor.frames().map((frame) => frame.getByText('Gallery').count()));
        expect(texts.slice(1).some((count) => count > 0)).toBe(true);
      },
      60_000,
      500,
    );
  const publicPath = `/collections/pictures-of-the-river`;

  it(
    'is made of a crawl, described and published',
    async () => {
      await page.getByRole('navigation').first().getByRole('link', { name: 'Collections' }).click();
      await page.getByText('No collection yet').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'New collection' }).first().click();
      await page.getByRole('textbox', { name: 'Name' }).fill(NAME);
      await page.getByLabel('Summary').fill('Kept "every" <b>week</b> & more');
      await page.getByRole('button', { name: 'Create collection' }).click();
      await heading(NAME).waitFor();
      await page.getByRole('button', { name: 'Add items' }).first().click();
      await page.getByRole('checkbox', { name: 'Select Gallery' }).check();
      await page.getByText('1 to add, 0 to remove').waitFor();
      await page.getByRole('button', { name: 'Save the choice' }).click();
      await page.getByRole('link', { name: 'Gallery' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);

      await page.getByRole('tab', { name: 'Pages' }).click();
      await page.getByRole('button', { name: 'Replay: River' }).waitFor();

      await page.getByRole('tab', { name: 'About' }).click();
      await page.getByRole('textbox', { name: 'Description' }).fill(HOSTILE);
      await page.getByText('Preview', { exact: true }).click();
      await page.getByRole('heading', { name: 'The river', level: 2 }).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved').first().waitFor();
      const cover = page.locator('img[src*="thumbnail"]');
      const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#1864ab' } })
        .png()
        .toBuffer();
      await page.locator('input[type=file]').setInputFiles({ name: 'ours.png', mimeType: 'image/png', buffer: png });
      await cover.waitFor();
      await page.getByRole('button', { name: 'Remove the picture' }).click();
      await cover.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Take it from a page' }).click();
      await page.getByRole('button', { name: /^Choose: .*river/ }).click();
      await page.getByText(/^Taken from .*river\.html$/).waitFor();
      await cover.waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'collection-about');

      await page.getByRole('tab', { name: 'Sharing' }).click();
      await page.getByRole('radio', { name: 'Public' }).check();
      await page.getByLabel('Link to the public page', { exact: true }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'collection-sharing');
    },
    BOUND_MS,
  );

  it(
    'opens with the page that was chosen',
    async () => {
      await page.getByRole('tab', { name: 'About' }).click();
      await page.getByRole('button', { name: 'Choose a page' }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Choose: .*river/ })
        .click();
      await page.getByText('The collection opens with this page now.').waitFor();
      await page.getByText('Replay opens with this page.').waitFor();
      const { items } = await consoles.service.call<{ items: { homeUrl: string }[] }>(
        'GET',
        `/orgs/${org.id}/collections`,
      );
      expect(items.map(({ homeUrl }) => homeUrl)).toEqual([expect.stringMatching(/river\.html$/)]);
      await page.getByRole('button', { name: 'No home page' }).click();
      await page.getByText('Replay opens with a list of the pages.').waitFor();
    },
    BOUND_MS,
  );

  it(
    'is seen and replayed by a visitor, in whose browser no script of the description runs',
    async () => {
      const visitor = await consoles.visitor();
      await visitor.goto(`${consoles.service.baseUrl}/explore/${org.slug}${publicPath}`);
      await heading(NAME, visitor).waitFor();
      await visitor.getByRole('heading', { name: 'The river', level: 2 }).waitFor();
      await visitor.getByRole('link', { name: 'Download as WACZ' }).waitFor();
      await replays(visitor);
      expect(await visitor.evaluate('window.ran')).toBeUndefined();
      expect(await visitor.locator('main script, main svg[onload], main [href^="javascript:"]').count()).toBe(0);
      expect(await axeFindings(visitor)).toEqual([]);
      await picture(visitor, 'public-collection');
      await visitor.context().close();
    },
    BOUND_MS,
  );

  it(
    'replays on another website that has the code for it',
    async () => {
      await page.getByRole('tab', { name: 'Sharing' }).click();
      const code = (await page.locator('pre', { hasText: '<iframe' }).textContent()) ?? '';
      const elsewhere = createServer((_, response) => {
        response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Elsewhere</title>${code}`);
      });
      await once(elsewhere.listen(0), 'listening');
      // Another site for a browser than that of `127.0.0.1`.
      const address = `http://localhost:${String((elsewhere.address() as AddressInfo).port)}/`;
      const browser = await launchPlainBrowser();
      const visitor = await browser.newPage();
      await visitor.goto(address);
      await replays(visitor);
      await browser.close();
      // Private windows refuse to store for frames of other websites.
      const strict = await consoles.visitor();
      await strict.goto(address);
      const link = strict.frameLocator('iframe').getByRole('link', { name: 'Open the archive on a page of its own' });
      const [own] = await Promise.all([strict.waitForEvent('popup'), link.click()]);
      await own.locator('replay-web-page').waitFor();
      await strict.context().close();
      elsewhere.close();
    },
    BOUND_MS,
  );

  it('tells link previews what it is, in escaped text', async () => {
    const read = async (path: string): Promise<string> =>
      (await fetch(`${consoles.service.baseUrl}/explore/${org.slug}${path}`)).text();
    const html = await read(publicPath);
    expect(html).toContain(`<title>${NAME} · `);
    expect(html).toContain('content="Kept &quot;every&quot; &lt;b&gt;week&lt;/b&gt; &amp; more"');
    expect(await read('/collections/nothing-here')).toContain('<title>Muniment</title>');
  });

  it(
    'is gone for visitors when it is private again, in words',
    async () => {
      await page.getByRole('radio', { name: 'Private' }).check();
      await page.getByText('Choose Unlisted or Public above').waitFor();
      const visitor = await consoles.visitor({}, /404/);
      await visitor.goto(`${consoles.service.baseUrl}/explore/${org.slug}${publicPath}`);
      await visitor.getByText('There is no such public collection').waitFor();
      expect(await axeFindings(visitor)).toEqual([]);
      await visitor.context().close();
      const html = await (await fetch(`${consoles.service.baseUrl}/explore/${org.slug}${publicPath}`)).text();
      expect(html).not.toContain(NAME);
    },
    BOUND_MS,
  );

  it(
    'is deleted once its name is typed',
    async () => {
      await page.getByRole('button', { name: `More actions for ${NAME}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByLabel(`Type ${NAME} to confirm`).fill(NAME);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No collection yet').waitFor();
      expect(consoles.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

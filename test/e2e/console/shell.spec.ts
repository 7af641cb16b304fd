import type { Page } from 'playwright-core';
import { axeFindings, Console, endLogin, logIn, logInAgain, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { ADMIN } from '../../support/start-app.js';

const BOUND_MS = 300_000;
/** What Chromium says of answers that these tests cause. */
const CAUSED = /status of (400|401|404)|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_FAILED/;

describe('the console as a whole', () => {
  let desk: Console;
  let slug: string;

  beforeAll(async () => {
    desk = await Console.open();
    ({ slug } = await desk.org());
  }, BOUND_MS);
  afterAll(() => desk?.close());
  afterEach(async () => {
    // A page that stays open would complain in the next test, which takes the service away.
    await Promise.all(desk.browser.contexts().map((context) => context.close()));
    expect(desk.complaints.splice(0)).toEqual([]);
  });

  const at = (path: string): string => `${desk.service.baseUrl}${path}`;
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();

  it('is sent with a strict policy, and its files for good and small', async () => {
    const page = await fetch(at('/'));
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe-(inline|eval)/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const html = await page.text();
    const [, nonce] = /name="style-nonce" content="([^"]+)"/.exec(html) ?? [];
    expect(policy).toContain(`'nonce-${nonce ?? ''}'`);
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(html) ?? [];
    const asset = await fetch(at(script ?? ''), { headers: { 'Accept-Encoding': 'br' } });
    expect(asset.headers.get('content-encoding')).toBe('br');
    expect(asset.headers.get('cache-control')).toMatch(/immutable/);
  });

  it(
    'asks who is there, says when the password is wrong, and shows the org by keyboard alone',
    async () => {
      const page = await desk.visitor({}, CAUSED);
      await page.goto(at('/'));
      await heading(page, 'Log in');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'login');
      await logIn(page, ADMIN.email, 'not the password');
      await page.getByRole('alert').getByText('The email address or the password is wrong.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel('Email').focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(ADMIN.email);
      await page.keyboard.press('Tab');
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(ADMIN.password);
      await page.keyboard.press('Enter');
      await page.getByRole('navigation').first().waitFor();
      await page.waitForURL(at(`/o/${slug}`));
      expect(await axeFindings(page)).toEqual([]);

      // The dashboard of an empty org begins in its field, other pages at their top.
      await page.goto(at(`/o/${slug}/profiles`));
      await heading(page, 'Browser profiles');
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: 'Skip to the content' });
      expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
      const link = page.getByRole('link', { name: 'Archived items', exact: true });
      for (let press = 0; press < 40; press++) {
        if (await link.evaluate((one) => one === document.activeElement)) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await heading(page, 'Archived items');
    },
    BOUND_MS,
  );

  it(
    'leads anywhere by ⌘K, speaks German, is dark on wish, and fits a phone',
    async () => {
      const page = await desk.person();
      const field = page.getByPlaceholder('Go to a page, a workflow, a collection …');
      // The key may be pressed before the page that was just drawn listens to it.
      await eventually(async () => {
        await page.keyboard.press('ControlOrMeta+k');
        await field.waitFor({ timeout: 2000 });
      });
      await field.fill('browser prof');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(at(`/o/${slug}/profiles`));

      const menu = () => page.getByRole('button', { name: /^(Account|Konto)$/ }).click();
      await menu();
      await page.getByRole('menuitem', { name: 'Deutsch' }).click();
      await page.getByRole('link', { name: 'Archivierte Objekte' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      await page.reload();
      await page.getByRole('link', { name: 'Archivierte Objekte' }).waitFor();
      await menu();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await page.getByRole('link', { name: 'Archived items', exact: true }).waitFor();

      await menu();
      await page.getByRole('menuitem', { name: 'Dark' }).click();
      expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
      await menu();
      await page.getByRole('menuitem', { name: 'As the system' }).click();

      await page.setViewportSize({ width: 390, height: 800 });
      await page.goto(at(`/o/${slug}/uploads`));
      await heading(page, 'Uploads');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Collections', exact: true }).click();
      await heading(page, 'Collections');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    },
    BOUND_MS,
  );

  it(
    "opens the addresses of the field's present client",
    async () => {
      const page = await desk.person();
      const pairs = [
        ['dashboard', ''],
        ['workflows', '/workflows'],
        ['items', '/items'],
        ['items/upload', '/items'],
        ['collections', '/collections'],
        ['browser-profiles', '/profiles'],
        ['settings/members', '/settings/members'],
        ['workflows/an-id/crawls/manual-1', '/items/manual-1'],
        ['', ''],
      ] as const;
      for (const [before, now] of pairs) {
        await page.goto(at(`/orgs/${slug}/${before}`));
        await page.waitForURL((url) => url.pathname.startsWith('/o/'));
        // A room may go on to its first tab.
        expect(`${new URL(page.url()).pathname}/`).toContain(`/o/${slug}${now}/`);
      }
      desk.complaints.splice(0);
    },
    BOUND_MS,
  );

  it(
    'keeps what was typed when the login ends and when the service is away',
    async () => {
      const page = await desk.person(ADMIN.email, ADMIN.password, CAUSED);
      await page.goto(at(`/o/${slug}/uploads`));
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose files' }).click();
      await (await chooser).setFiles([{ name: 'a.warc', mimeType: '', buffer: Buffer.from('WARC/1.0') }]);
      const field = page.getByLabel('Name of a.warc');
      await field.fill('What was typed');

      await endLogin(page);
      const dialog = page.getByRole('dialog', { name: 'Log in again' });
      await eventually(async () => {
        // Who comes back to the tab has what is shown asked for anew, unless it was just now.
        await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
        await dialog.waitFor({ timeout: 1000 });
      });
      expect(await axeFindings(page)).toEqual([]);
      await logInAgain(page);
      expect(await field.inputValue()).toBe('What was typed');

      await desk.service.kill('SIGTERM');
      const banner = page.getByText('The service cannot be reached. It is tried again by itself');
      await banner.waitFor();
      expect(await field.inputValue()).toBe('What was typed');
      desk.service.spawn();
      await desk.service.ready();
      await banner.waitFor({ state: 'detached' });
      expect(await field.inputValue()).toBe('What was typed');
    },
    BOUND_MS,
  );

  it(
    'shows what somebody else does, on a page that asks for nothing by itself',
    async () => {
      const page = await desk.person();
      await page.goto(at(`/o/${slug}/collections`));
      await heading(page, 'Collections');
      const { id: oid } = await desk.org();
      const { id } = await desk.service.call<{ id: string }>('POST', `/orgs/${oid}/collections`, {
        name: 'Somebody else’s',
        crawlIds: [],
      });
      await page.getByText('Somebody else’s').first().waitFor();
      await desk.service.call('PATCH', `/orgs/${oid}/collections/${id}`, { name: 'Renamed meanwhile' });
      await page.getByText('Renamed meanwhile').first().waitFor();
      await desk.service.call('DELETE', `/orgs/${oid}/collections/${id}`);
      await page.getByText('Renamed meanwhile').first().waitFor({ state: 'detached' });
    },
    BOUND_MS,
  );

  it(
    "runs no script of an org's name",
    async () => {
      const org = await desk.org();
      const name = '<img src=x onerror="window.hacked=1"> & <b>Co</b>';
      await desk.service.call('POST', `/orgs/${org.id}/rename`, { name, slug });
      const page = await desk.person();
      await page.getByText(name).first().waitFor();
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
      expect(await axeFindings(page)).toEqual([]);
    },
    BOUND_MS,
  );
});

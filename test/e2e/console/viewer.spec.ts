import { Console, logIn } from '../../support/console.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';

const BOUND_MS = 240_000;
/** Words with which the console names what changes something of the org. */
const CHANGES =
  /^(New|Create|Add|Edit|Rename|Delete|Remove|Save and|Run|Start|Stop|Pause|Resume|Replace|Duplicate|Restore|Choose files|Upload|Invite|Exclude|Approve|Reject|Review pages|Make|Publish|Set |Use )/;

describe('what a viewer is offered', () => {
  let desk: Console;
  let site: TestSite;

  beforeAll(async () => {
    [desk, site] = await Promise.all([Console.open(), startTestSite()]);
  }, BOUND_MS);
  afterAll(async () => {
    await desk?.close();
    await site?.close();
  });

  it(
    'is nothing that the API refuses, on any page, in any menu',
    async () => {
      const org = await desk.org();
      const config = { seeds: [{ url: `${site.url}/gzip.html` }], scopeType: 'page' };
      const { id, crawlId } = await desk.crawled(org.id, { name: 'Looked at', config });
      const made = await desk.service.call<{ id: string }>('POST', `/orgs/${org.id}/collections`, {
        ...{ name: 'Looked at', crawlIds: [crawlId] },
      });
      const viewer = { email: 'vera@example.org', password: 'a pass phrase of hers', name: 'Vera', role: 10 };
      await desk.service.call('POST', `/orgs/${org.id}/add-user`, viewer);
      const page = await desk.visitor();
      await page.goto(desk.service.baseUrl);
      await logIn(page, viewer.email, viewer.password);
      await page.getByRole('navigation').first().waitFor();
      const tabs = (path: string, names: readonly string[]): string[] => names.map((tab) => `${path}?tab=${tab}`);
      const offered: string[] = [];
      for (const path of [
        ...['', '/items', '/workflows', '/collections', '/uploads', '/profiles', '/settings'],
        ...['/workflows/new', `/workflows/${id}/edit`, `/workflows/${id}/revisions`],
        ...tabs(`/workflows/${id}`, ['latest', 'logs', 'history', 'settings']),
        ...tabs(`/items/${crawlId}`, ['overview', 'pages', 'files', 'logs', 'settings']),
        ...[`/items/${crawlId}/qa`, `/items/${crawlId}/review`],
        ...tabs(`/collections/${made.id}`, ['items', 'pages', 'about', 'sharing', 'dedupe']),
      ]) {
        await page.goto(`${desk.service.baseUrl}/o/${org.slug}${path}`);
        await page.locator('main').getByRole('heading').first().waitFor();
        await page.getByRole('status', { name: 'Loading …' }).first().waitFor({ state: 'detached' });
        const main = page.locator('main');
        const menus = main.locator('[aria-haspopup=menu]');
        for (let n = 0; n < (await menus.count()); n++) {
          await menus.nth(n).click();
          await page.getByRole('menu').waitFor();
          const items = await page.getByRole('menu').getByRole('menuitem').allInnerTexts();
          offered.push(...items.filter((text) => CHANGES.test(text.trim())).map((text) => `${path}: ${text}`));
          await page.keyboard.press('Escape');
        }
        const names = await main
          .locator('button:enabled, a[href]')
          .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
        offered.push(...names.filter((name) => CHANGES.test(name.trim())).map((name) => `${path}: ${name}`));
      }
      expect(offered).toEqual([]);
      // Nor does a page ask by itself for what a viewer is refused: the browser would complain of it.
      expect(desk.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

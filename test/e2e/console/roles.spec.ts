import type { Page } from 'playwright-core';
import { Console, logIn } from '../../support/console.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';

const BOUND_MS = 240_000;
const LOADING = 'Loading …';
/** Words with which the console names what changes something of the org. */
const CHANGES =
  /^(New|Create|Add|Edit|Rename|Delete|Remove|Save and|Run|Start|Stop|Pause|Resume|Replace|Duplicate|Restore|Choose files|Upload|Invite|Exclude|Approve|Reject|Review pages|Make|Publish|Set |Use )/;

describe('what somebody is offered', () => {
  let desk: Console;
  let site: TestSite;

  beforeAll(async () => {
    [desk, site] = await Promise.all([Console.open(), startTestSite()]);
  }, BOUND_MS);
  afterAll(async () => {
    await desk?.close();
    await site?.close();
  });

  const made = async () => {
    const org = await desk.org();
    const config = { seeds: [{ url: `${site.url}/gzip.html` }], scopeType: 'page' };
    const { id, crawlId } = await desk.crawled(org.id, { name: 'Looked at', config });
    const collection = await desk.service.call<{ id: string }>('POST', `/orgs/${org.id}/collections`, {
      ...{ name: `Looked at ${id}`, crawlIds: [crawlId] },
    });
    const tabs = (path: string, names: readonly string[]): string[] => names.map((tab) => `${path}?tab=${tab}`);
    const paths = [
      ...['', '/items', '/workflows', '/collections', '/uploads', '/profiles', '/settings'],
      ...['/workflows/new', `/workflows/${id}/edit`, `/workflows/${id}/revisions`],
      ...tabs(`/workflows/${id}`, ['latest', 'logs', 'history', 'settings']),
      ...tabs(`/items/${crawlId}`, ['overview', 'pages', 'files', 'logs', 'settings']),
      ...[`/items/${crawlId}/qa`, `/items/${crawlId}/review`],
      ...tabs(`/collections/${collection.id}`, ['items', 'pages', 'about', 'sharing', 'dedupe']),
    ];
    return { org, paths };
  };

  const memberOf = async (oid: string, role: number, name: string): Promise<Page> => {
    const person = { email: `${name}@example.org`, password: 'a pass phrase of hers', name, role };
    await desk.service.call('POST', `/orgs/${oid}/add-user`, person);
    const page = await desk.visitor();
    await page.goto(desk.service.baseUrl);
    await logIn(page, person.email, person.password);
    await page.getByRole('navigation').first().waitFor();
    return page;
  };

  /** Names of all that a page offers, in its menus too. */
  const offeredOn = async (page: Page, path: string): Promise<string[]> => {
    await page.goto(`${desk.service.baseUrl}${path}`);
    const main = page.locator('main');
    await main.getByRole('heading').first().waitFor();
    await page.getByRole('status', { name: LOADING }).first().waitFor({ state: 'detached' });
    const offered: string[] = [];
    const menus = main.locator('[aria-haspopup=menu]');
    for (let n = 0; n < (await menus.count()); n++) {
      await menus.nth(n).click();
      await page.getByRole('menu').waitFor();
      offered.push(...(await page.getByRole('menu').getByRole('menuitem').allInnerTexts()));
      await page.keyboard.press('Escape');
    }
    const names = await main
      .locator('button:enabled, a[href]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
    return [...offered, ...names].map((text) => text.trim());
  };

  it(
    'to a viewer: nothing that the API refuses, on any page, in any menu',
    async () => {
      const { org, paths } = await made();
      const page = await memberOf(org.id, 10, 'Vera');
      const offered: string[] = [];
      for (const path of paths) {
        const names = await offeredOn(page, `/o/${org.slug}${path}`);
        offered.push(...names.filter((name) => CHANGES.test(name)).map((name) => `${path}: ${name}`));
      }
      expect(offered).toEqual([]);
      // Nor does a page ask by itself for what a viewer is refused: the browser would complain of it.
      expect(desk.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'to a crawler: all work on workflows, items and collections, and nothing of the owners',
    async () => {
      const { org, paths } = await made();
      const page = await memberOf(org.id, 20, 'Carl');
      const offered = new Map<string, string[]>();
      for (const path of paths) offered.set(path, await offeredOn(page, `/o/${org.slug}${path}`));
      const on = (path: string): string[] => offered.get(path) ?? [];
      expect(on('/settings').filter((name) => CHANGES.test(name))).toEqual([]);
      expect(on('/workflows')).toEqual(expect.arrayContaining([expect.stringMatching(/^New workflow/)]));
      expect(on('/collections')).toEqual(expect.arrayContaining([expect.stringMatching(/^New collection/)]));
      expect(on('/workflows/new')).toEqual(expect.arrayContaining(['Save', expect.stringMatching(/^Save and run/)]));
      expect(on('/uploads')).toEqual(expect.arrayContaining([expect.stringMatching(/^Choose files/)]));
      const [item = ''] = paths.filter((path) => path.endsWith('?tab=overview'));
      expect(on(item)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^Edit/), expect.stringMatching(/^Delete/)]),
      );
      expect(desk.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

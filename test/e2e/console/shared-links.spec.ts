import type { Page } from 'playwright-core';
import { Console, logIn } from '../../support/console.js';
import { ADMIN } from '../../support/start-app.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';

const BOUND_MS = 240_000;

describe('the address of a page, given to somebody else', () => {
  let desk: Console;
  let site: TestSite;
  let page: Page;
  let at: (path: string) => string;
  let crawlId: string;
  let id: string;

  beforeAll(async () => {
    [desk, site] = await Promise.all([Console.open(), startTestSite()]);
    const org = await desk.org();
    at = (path) => `${desk.service.baseUrl}/o/${org.slug}${path}`;
    const config = { seeds: [{ url: `${site.url}/deep/1.html` }], scopeType: 'prefix', limit: 3 };
    ({ id, crawlId } = await desk.crawled(org.id, { name: 'River', tags: ['weekly'], config }));
    const other = { seeds: [{ url: `${site.url}/gzip.html` }], scopeType: 'page' };
    await desk.service.call('POST', `/orgs/${org.id}/crawlconfigs/`, { name: 'Sea', tags: ['yearly'], config: other });
    await desk.service.call('POST', `/orgs/${org.id}/collections`, { name: 'Rivers', crawlIds: [crawlId] });
    page = await desk.person();
  }, BOUND_MS);
  afterAll(async () => {
    await desk?.close();
    await site?.close();
  });

  /** Opens the address in the browser of somebody who has to log in first. */
  const opened = async (address: string): Promise<Page> => {
    const theirs = await desk.visitor();
    await theirs.goto(address);
    await logIn(theirs, ADMIN.email, ADMIN.password);
    await theirs.waitForURL(address);
    return theirs;
  };

  it(
    'shows the workflows that were filtered, in the order that was chosen',
    async () => {
      await page.goto(at('/workflows'));
      await page.getByRole('link', { name: 'Sea' }).waitFor();
      await page.getByRole('combobox', { name: 'Tags' }).click();
      await page.getByRole('option', { name: /^weekly/ }).click();
      await page.getByRole('link', { name: 'Sea' }).waitFor({ state: 'detached' });
      const theirs = await opened(page.url());
      await theirs.getByRole('link', { name: 'River' }).waitFor();
      expect(await theirs.getByRole('link', { name: 'Sea' }).count()).toBe(0);
      await theirs.context().close();
    },
    BOUND_MS,
  );

  it(
    'shows the items of the type that was chosen',
    async () => {
      await page.goto(at('/items'));
      await page.getByRole('link', { name: 'River' }).waitFor();
      await page.getByRole('radiogroup', { name: 'Type' }).getByText('Uploads').click();
      await page.getByRole('link', { name: 'River' }).waitFor({ state: 'detached' });
      const theirs = await opened(page.url());
      await theirs.getByRole('heading', { level: 1 }).waitFor();
      expect(await theirs.getByRole('radio', { name: 'Uploads' }).isChecked()).toBe(true);
      expect(await theirs.getByRole('link', { name: 'River' }).count()).toBe(0);
      await theirs.context().close();
    },
    BOUND_MS,
  );

  it(
    'shows the pages that were searched for, on the tab on which they stood',
    async () => {
      await page.goto(at(`/items/${crawlId}`));
      await page.getByRole('tab', { name: 'Pages' }).click();
      const rows = page.getByRole('tabpanel').getByRole('row', { name: /deep/ });
      await rows.first().waitFor();
      const before = await rows.count();
      await page.getByRole('tabpanel').getByRole('textbox').fill('deep/1.html');
      await page.waitForURL(/search=/);
      const theirs = await opened(page.url());
      const shown = theirs.getByRole('tabpanel').getByRole('row', { name: /deep\/1\.html/ });
      await shown.first().waitFor();
      expect(await theirs.getByRole('tabpanel').getByRole('row', { name: /deep/ }).count()).toBeLessThan(before);
      await theirs.context().close();
    },
    BOUND_MS,
  );

  it(
    'leads to the tab of a workflow',
    async () => {
      const theirs = await opened(at(`/workflows/${id}?tab=history`));
      await theirs.getByRole('tab', { name: 'History', selected: true }).waitFor();
      await theirs.context().close();
      expect(desk.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

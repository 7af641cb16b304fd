import type { Page } from 'playwright-core';
import { axeFindings, Console, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';

const BOUND_MS = 300_000;

/** Journeys 1 and 3: an empty org asks for an address and crawls it; then its dashboard tells how it does. */
describe('the start of an org', () => {
  let world: Console;
  let site: TestSite;
  let page: Page;
  let org: { id: string; slug: string };

  beforeAll(async () => {
    [world, site] = await Promise.all([Console.open(), startTestSite()]);
    org = await world.org();
    page = await world.person();
  }, BOUND_MS);
  afterAll(async () => {
    await world?.close();
    await site?.close();
  });

  const part = (name: string) => page.getByRole('region', { name });

  it(
    'asks for an address, crawls it and leads to the crawl',
    async () => {
      await page.getByRole('heading', { name: 'Archive your first site' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'first-crawl');

      await page.getByRole('textbox', { name: 'Address' }).fill('no address');
      await page.getByRole('button', { name: 'Crawl it' }).click();
      await page.getByText('This is no address of a web page.').waitFor();

      await page.getByRole('textbox', { name: 'Address' }).fill(`${site.url}/index.html`);
      await page.getByLabel('Only this page').check();
      await page.getByRole('button', { name: 'Crawl it' }).click();
      await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
    },
    BOUND_MS,
  );

  it(
    'shows the crawl on the dashboard, from running to archived',
    async () => {
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
      await picture(page, 'dashboard-running');
      const crawled = part('Newest archived items').getByRole('link', { name: new RegExp(site.url) });
      await crawled.waitFor();
      await part('Running and waiting').getByText('No crawl is running.').waitFor();
      const { items } = await world.service.call<{ items: { id: string; state: string }[] }>(
        'GET',
        `/orgs/${org.id}/all-crawls`,
      );
      expect(items.map(({ state }) => state)).toEqual(['complete']);
      expect(await crawled.getAttribute('href')).toBe(`/o/${org.slug}/items/${items[0]?.id ?? ''}`);
    },
    BOUND_MS,
  );

  it(
    'shows storage and minutes against their quotas, counts that lead to lists, and what comes next',
    async () => {
      await world.service.call('POST', `/orgs/${org.id}/quotas`, {
        storageQuota: 1_000_000_000,
        maxExecMinutesPerMonth: 600,
      });
      await world.service.call('POST', `/orgs/${org.id}/crawlconfigs/`, {
        name: 'شبكة كل شهر',
        schedule: '0 6 1 * *',
        config: { seeds: [{ url: site.url, scopeType: 'page' }], scopeType: 'page' },
      });
      await world.service.call('POST', `/orgs/${org.id}/collections`, { name: 'Sites <b>of</b> the region' });
      await page.reload();
      await part('Storage').getByText('of 1 GB').waitFor();
      await part('Crawling minutes').getByText('of 600 min this month').waitFor();
      await part('Next runs').getByRole('link', { name: 'شبكة كل شهر' }).waitFor();
      await part('Newest collections').getByRole('link', { name: 'Sites <b>of</b> the region' }).waitFor();
      await part('Last problems').getByText('No crawl has failed.').waitFor();
      await part('Storage').getByRole('button', { name: 'As a table' }).click();
      const months = page.getByRole('table', { name: 'Storage over time' }).getByRole('row');
      expect(await months.nth(1).textContent()).toMatch(/[1-9].* [kM]B$/);
      expect(await months.count()).toBe(13);
      await part('Crawling minutes').getByRole('button', { name: 'As a table' }).click();
      await page.getByRole('table', { name: 'Minutes by month' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await part('Storage').getByRole('button', { name: 'As a chart' }).click();
      await part('Crawling minutes').getByRole('button', { name: 'As a chart' }).click();
      await part('Crawling minutes').getByText('Crawling', { exact: true }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'dashboard');

      const figures = part('What is archived');
      await eventually(async () => expect(await figures.getByRole('link').count()).toBe(5));
      await figures.getByRole('link', { name: /^Collections/ }).click();
      await page.waitForURL(`**/o/${org.slug}/collections`);
      await page.goBack();
      await figures.getByRole('link', { name: /^Archived items/ }).click();
      await page.waitForURL(`**/o/${org.slug}/items`);
    },
    BOUND_MS,
  );

  it(
    'tells of a crawl that failed',
    async () => {
      await world.service.call('POST', `/orgs/${org.id}/crawlconfigs/`, {
        name: 'A site that is gone',
        runNow: true,
        config: {
          seeds: [{ url: 'http://127.0.0.1:9/', scopeType: 'page' }],
          scopeType: 'page',
          failOnFailedSeed: true,
        },
      });
      await page.getByRole('link', { name: 'Dashboard' }).click();
      const problems = part('Last problems');
      await problems.getByRole('link', { name: 'A site that is gone' }).waitFor();
      await problems.getByText('Failed').waitFor();
      await picture(page, 'dashboard-failed');
      expect(world.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'says what a full storage keeps from being done; a viewer is offered nothing of it',
    async () => {
      await world.service.call('POST', `/orgs/${org.id}/quotas`, { storageQuota: 1 });
      const full = await world.person();
      await full.goto(`${world.service.baseUrl}/o/${org.slug}/workflows`);
      await full.getByText('The storage of this org is full: crawls and uploads are refused').waitFor();
      expect(await full.getByRole('button', { name: 'Run now: A site that is gone' }).isDisabled()).toBe(true);
      expect(await axeFindings(full)).toEqual([]);
      await picture(full, 'quota-refused');

      const viewer = { email: 'viewer@example.org', password: 'only looks at things', name: 'V', role: 10 };
      await world.service.call('POST', `/orgs/${org.id}/add-user`, viewer);
      const looking = await world.person(viewer.email, viewer.password);
      await looking.getByRole('navigation').getByRole('link', { name: 'Workflows' }).click();
      await looking.getByRole('link', { name: 'A site that is gone' }).waitFor();
      expect(await looking.getByRole('link', { name: 'New workflow' }).count()).toBe(0);
      expect(await looking.getByRole('button', { name: /^Run now/ }).count()).toBe(0);
      expect(await looking.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
        ...['Dashboard', 'Workflows', 'Archived items', 'Collections'],
      ]);
      expect(world.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

import type { Page } from 'playwright-core';
import { axeFindings, Console, exported, picture } from '../../support/console.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';

const BOUND_MS = 300_000;
const STEP_MS = 60_000;

describe('a crawl while it runs', () => {
  let console_: Console;
  let site: TestSite;
  let page: Page;
  let workflow: string;

  beforeAll(async () => {
    site = await startTestSite();
    console_ = await Console.open();
    const { id: oid, slug } = await console_.org();
    const { id } = await console_.service.call<{ id: string }>('POST', `/orgs/${oid}/crawlconfigs/`, {
      name: 'The test site',
      browserWindows: 1,
      config: { seeds: [{ url: `${site.url}/` }], scopeType: 'host', behaviors: 'autoscroll' },
    });
    workflow = `${console_.service.baseUrl}/o/${slug}/workflows/${id}`;
    page = await console_.person();
  }, BOUND_MS);
  afterAll(async () => {
    await console_?.close();
    await site?.close();
  });

  const shown = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: STEP_MS });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click({ timeout: STEP_MS });

  it(
    'is started, watched, narrowed, paused and resumed, and leads to its archived item',
    async () => {
      await page.goto(workflow);
      await shown('This workflow has not run yet');
      await press('Run now');
      await page.getByRole('img', { name: /^Window 1 shows/ }).waitFor({ timeout: STEP_MS });
      await picture(page, 'watch-crawl-live');

      await page.getByRole('textbox', { name: 'Exclude pages' }).fill('/deep/');
      await press('Exclude');
      await page.getByRole('button', { name: /^Crawl \/deep\/ again/ }).waitFor({ timeout: STEP_MS });

      await press('Pause');
      await shown('The crawl is paused.');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'watch-crawl-paused');
      await press('Resume');
      await shown('The crawl is complete.');
      const visited = site.requests.map(({ path }) => path);
      expect(visited).toContain('/gzip.html');
      expect(visited.filter((path) => path.startsWith('/deep/'))).toEqual([]);
      expect(await page.getByRole('link', { name: 'Open the archived item' }).getAttribute('href')).toContain(
        '/items/',
      );
      await picture(page, 'watch-crawl-complete');
      const pages = await exported(page, 'Pages');
      expect(pages).toContain(`${site.url}/gzip.html,`);
      expect(pages.trim().split('\r\n').length).toBeGreaterThan(25);

      await page.getByRole('tab', { name: 'Logs' }).click();
      await page.getByRole('log', { name: 'Log lines' }).waitFor();
      expect(page.url()).toContain('tab=logs');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('tab', { name: /History/ }).click();
      await page.getByRole('table', { name: 'History' }).getByText('Complete').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('tab', { name: 'Settings' }).click();
      await shown('Excluded patterns');
      expect(await axeFindings(page)).toEqual([]);
      expect(console_.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'gets another window while it goes on, and is cancelled and gone after a question',
    async () => {
      const { id: oid, slug } = await console_.org();
      const { id } = await console_.service.call<{ id: string }>('POST', `/orgs/${oid}/crawlconfigs/`, {
        name: 'A slow crawl',
        browserWindows: 1,
        config: { seeds: [{ url: `${site.url}/` }], scopeType: 'host', pageExtraDelay: 60 },
        runNow: true,
      });
      await page.goto(`${console_.service.baseUrl}/o/${slug}/workflows/${id}`);
      await page.getByRole('img', { name: /^Window 1 shows/ }).waitFor({ timeout: STEP_MS });
      await press('One browser window more');
      await shown('The crawl goes on with 2 browser windows.');
      await page.getByRole('img', { name: /^Window 2 shows/ }).waitFor({ timeout: STEP_MS });

      await press('Cancel and discard');
      const question = page.getByRole('dialog', { name: 'Cancel this crawl?' });
      await question.waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await question.getByRole('button', { name: 'Cancel', exact: true }).click();
      await question.waitFor({ state: 'detached' });
      await press('Cancel and discard');
      await question.getByRole('button', { name: 'Cancel and discard' }).click();
      await shown('Somebody cancelled the crawl; nothing of it is kept.');
      const { items } = await console_.service.call<{ items: { state: string; fileCount: number }[] }>(
        'GET',
        `/orgs/${oid}/crawls?cid=${id}`,
      );
      expect(items.map(({ state, fileCount }) => [state, fileCount])).toEqual([['canceled', 0]]);
      expect(console_.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

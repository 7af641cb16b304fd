import mongoose from 'mongoose';
import type { Page } from 'playwright-core';
import { axeFindings, Console, exported, picture } from '../../support/console.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';

const BOUND_MS = 300_000;

describe('the review of a crawl', () => {
  let on: Console;
  let site: TestSite;
  let org: { id: string; slug: string };
  let crawlId: string;
  let page: Page;

  beforeAll(async () => {
    [on, site] = await Promise.all([Console.open(), startTestSite()]);
    org = await on.org();
    const seeds = [{ url: `${site.url}/gzip.html` }, { url: `${site.url}/br.html` }];
    const config = { seeds, scopeType: 'page', limit: 2 };
    ({ crawlId } = await on.crawled(org.id, { name: 'Two pages', config }));
    page = await on.person();
  }, BOUND_MS);

  afterAll(async () => {
    await on?.close();
    await site?.close();
  });

  it(
    'begins with a QA run, whose findings lead to the pages',
    async () => {
      await page.goto(`${on.service.baseUrl}/o/${org.slug}/items/${crawlId}/qa`);
      await page.getByRole('heading', { name: 'No QA run yet' }).waitFor();
      await page.getByRole('button', { name: 'Start QA run' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Start QA run' }).click();
      await page.getByRole('region', { name: 'QA run in progress' }).waitFor();
      await page.getByText(/^2 pages checked/).waitFor({ timeout: BOUND_MS });
      await page.getByRole('button', { name: /Screenshot match 99%–100%: 2 pages/ }).click();
      await page.getByRole('link', { name: 'Gzip' }).waitFor();
      expect(new URL(page.url()).searchParams.get('by')).toBe('screenshotMatch');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'qa');
    },
    BOUND_MS,
  );

  it(
    'goes by keyboard alone, with the pictures of both sides',
    async () => {
      await page.getByRole('link', { name: 'Review pages' }).click();
      await page.getByRole('img', { name: 'Screenshot of the crawl' }).waitFor({ timeout: BOUND_MS });
      await page.getByRole('img', { name: 'Screenshot of the replay' }).waitFor();
      await page.getByText(/^0(\.\d+)?% of the picture differs$/).waitFor();
      await page.getByText('Difference', { exact: true }).click();
      await page.getByRole('img', { name: 'Difference of both screenshots' }).waitFor();
      await picture(page, 'review-difference');
      await page.getByText('Side by side', { exact: true }).click();
      await picture(page, 'review');
      await page.keyboard.press('y');
      await page.getByRole('button', { name: 'Approved', exact: true }).waitFor();
      await page.keyboard.press('j');
      await page.getByText('2 of 2').waitFor();
      await page.keyboard.press('n');
      await page.getByRole('button', { name: 'Rejected', exact: true }).waitFor();
      await page.keyboard.press('c');
      await page.getByRole('textbox', { name: 'Note' }).fill('The picture is missing.');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('list', { name: 'Notes' }).getByText('The picture is missing.').waitFor();
      // Keys are letters until the field has gone.
      await page.getByRole('textbox', { name: 'Note' }).waitFor({ state: 'detached' });
      await page.keyboard.press('2');
      await page.getByText('The text is the same at the crawl and at replay.').waitFor();
      await page.keyboard.press('3');
      await page.getByRole('table', { name: 'All resources' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
    },
    BOUND_MS,
  );

  it(
    'ends with a word on the whole item',
    async () => {
      await page.getByRole('button', { name: 'Finish review' }).click();
      await page.getByRole('radio', { name: 'Good' }).check();
      await page.getByRole('button', { name: 'Save rating' }).click();
      await page.getByRole('heading', { name: 'Quality' }).waitFor();
      await page.getByText('Good', { exact: true }).waitFor();
      const item = await on.service.call<{ reviewStatus: number }>('GET', `/orgs/${org.id}/crawls/${crawlId}`);
      expect(item.reviewStatus).toBe(4);
      expect(on.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'is given as a table of all pages with what was found and decided, not of those shown',
    async () => {
      const { MONGO_DB_URL: url = '', MONGO_DB_NAME: dbName = '' } = on.service.env;
      const connection = await mongoose.createConnection(url, { dbName }).asPromise();
      const pages = connection.collection('pages');
      const [like] = await pages.find({ url: `${site.url}/br.html` }).toArray();
      const many = Array.from({ length: 30 }, (_, n) => ({
        ...like,
        _id: new mongoose.mongo.UUID() as never,
        url: `${site.url}/further/${String(n)}`,
      }));
      await pages.insertMany(many);
      await connection.close();
      await page.goto(`${on.service.baseUrl}/o/${org.slug}/items/${crawlId}/qa`);
      await page.getByText('1–20 of 32').waitFor();
      const lines = (await exported(page, 'Pages')).trim().split('\r\n');
      expect(lines).toHaveLength(33);
      expect(lines[0]).toContain('Screenshot match');
      for (const { url: further } of many) expect(lines.some((line) => line.startsWith(further))).toBe(true);
      expect(lines.filter((line) => line.includes('Rejected,The picture is missing.')).length).toBeGreaterThan(0);
    },
    BOUND_MS,
  );
});

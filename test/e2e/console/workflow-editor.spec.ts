import type { Page } from 'playwright-core';
import { axeFindings, Console, endLogin, logInAgain, picture } from '../../support/console.js';
import { startTestSite } from '../../support/site/site.js';

const BOUND_MS = 240_000;
const WORKFLOW_PAGE = /\/workflows\/[0-9a-f-]{36}$/;

interface Stored {
  readonly name: string;
  readonly description: string;
  readonly schedule: string;
  readonly config: { readonly scopeType: string; readonly limit: number; readonly exclude: readonly string[] };
}

describe('the editor of workflows', () => {
  let console: Console;
  let site: Awaited<ReturnType<typeof startTestSite>>;
  let page: Page;
  let org: { id: string; slug: string };

  beforeAll(async () => {
    [console, site] = await Promise.all([Console.open(), startTestSite()]);
    org = await console.org();
    page = await console.person(undefined, undefined, /status of 412/);
  }, BOUND_MS);
  afterAll(async () => {
    await console?.close();
    await site?.close();
  });

  const room = () => `${console.service.baseUrl}/o/${org.slug}/workflows`;
  const stored = (id: string) => console.service.call<Stored>('GET', `/orgs/${org.id}/crawlconfigs/${id}`);
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const save = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(WORKFLOW_PAGE);
    return page.url().split('/').at(-1) ?? '';
  };

  it(
    'makes, changes, compares, restores and copies a workflow, and overwrites nobody silently',
    async () => {
      await page.goto(room());
      await page.getByRole('heading', { name: 'No workflows yet' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'New workflow' }).first().click();

      await page.getByLabel('Start at these addresses').fill('not an address');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('This is not an address: not an address').waitFor();
      await page.getByLabel('Start at these addresses').fill(`${site.url}/`);
      await page.getByRole('button', { name: 'Add a pattern' }).click();
      await page.getByLabel('Leave out addresses that match 1', { exact: true }).fill('/private.');
      await page.getByLabel('Would this address be crawled?').fill(`${site.url}/private.html`);
      await page.getByText('It is left out by the pattern').waitFor();
      await page.getByLabel('Would this address be crawled?').fill(`${site.url}/other`);
      await page.getByText('if a crawled page links to it').waitFor();
      await choose('How often', 'Every week');
      expect(await page.getByRole('list').getByRole('listitem').count()).toBeGreaterThanOrEqual(5);
      await page.getByLabel('Name', { exact: true }).fill('News of the week');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'workflow-editor');
      const id = await save();
      expect(await stored(id)).toMatchObject({
        name: 'News of the week',
        schedule: expect.stringMatching(/^\d+ \d+ \* \* \d$/),
        config: { exclude: ['/private\\.'], scopeType: 'prefix' },
      });

      await page.goto(`${room()}/${id}/edit`);
      await page.getByLabel('Name', { exact: true }).fill('News');
      await console.service.call('PATCH', `/orgs/${org.id}/crawlconfigs/${id}`, {
        description: 'of somebody else',
        config: { limit: 7 },
      });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Somebody else changed this workflow').waitFor();
      const theirs = page.getByRole('table', { name: 'Changed by the other person alone' });
      await theirs.getByRole('row', { name: /^Description .*of somebody else/ }).waitFor();
      await theirs.getByRole('row', { name: /^Pages .*No limit.* 7/ }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'workflow-conflict');
      // Somebody else is faster once more, with a field that this editor changed too.
      await console.service.call('PATCH', `/orgs/${org.id}/crawlconfigs/${id}`, { name: 'News of theirs' });
      await page.getByRole('button', { name: 'Save, keeping both' }).click();
      const both = page.getByRole('table', { name: 'Changed by both of you' });
      await both.getByRole('row', { name: /^Name .*News of theirs.* News$/ }).waitFor();
      expect(await stored(id)).toMatchObject({ name: 'News of theirs' });
      await page.getByRole('button', { name: 'Save mine over theirs' }).click();
      await page.waitForURL(WORKFLOW_PAGE);
      expect(await stored(id)).toMatchObject({ name: 'News', description: 'of somebody else', config: { limit: 7 } });

      await page.goto(`${room()}/${id}/revisions`);
      await page.getByRole('rowheader', { name: 'Pages', exact: true }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'workflow-revisions');
      await page.getByRole('button', { name: 'Restore revision' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore revision' }).click();
      await page.getByText('The workflow has the settings of revision').waitFor();
      expect(await stored(id)).toMatchObject({ name: 'News', config: { limit: 0 } });

      await page.goto(`${room()}/new?from=${id}`);
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('News (copy)');
      await save();
      await page.goto(room());
      await page.getByRole('link', { name: 'News (copy)' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'workflows');
      await page.getByLabel('Select News (copy)').check();
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('The workflow is deleted.').waitFor();
      expect(console.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'keeps what was typed when the login ends in the middle of it',
    async () => {
      const { id } = await console.service.call<{ id: string }>('POST', `/orgs/${org.id}/crawlconfigs/`, {
        name: 'As it was',
        config: { seeds: [{ url: `${site.url}/` }], scopeType: 'prefix' },
      });
      page = await console.person(undefined, undefined, /status of 401/);
      await page.goto(`${room()}/${id}/edit`);
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('As somebody typed it');
      await endLogin(page);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await logInAgain(page);
      expect(await name.inputValue()).toBe('As somebody typed it');
      await save();
      expect(await stored(id)).toMatchObject({ name: 'As somebody typed it' });
      expect(console.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  it(
    'shows which pages of the latest crawl an exclusion would leave out',
    async () => {
      const config = { seeds: [{ url: `${site.url}/gallery/` }], scopeType: 'prefix', limit: 3 };
      const { id } = await console.crawled(org.id, { name: 'Gallery', config });
      page = await console.person();
      await page.goto(`${room()}/${id}/edit`);
      await page.getByText('3 of the 3 pages of the latest crawl would be crawled again.').waitFor();
      await page.getByRole('button', { name: 'Add a pattern' }).click();
      await page.getByLabel('Leave out addresses that match 1', { exact: true }).fill('river');
      await page.getByText('2 of the 3 pages of the latest crawl would be crawled again.').waitFor();
      await page.getByText('It is left out by the pattern river').waitFor();
      await page
        .getByRole('listitem')
        .filter({ hasText: `${site.url}/gallery/river.html` })
        .waitFor();
      await picture(page, 'workflow-exclusions');
      // At its end the page has nothing behind the bar of buttons.
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      expect(await axeFindings(page)).toEqual([]);
      expect(console.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

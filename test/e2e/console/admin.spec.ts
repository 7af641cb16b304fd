import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { axeFindings, Console, picture } from '../../support/console.js';

const BOUND_MS = 240_000;
const TABS = ['Orgs', 'Accounts', 'Crawls', 'Background jobs', 'System'];

describe('administration of the service', () => {
  let open: Console;
  let page: Page;

  beforeAll(async () => {
    open = await Console.open();
    page = await open.person();
  }, BOUND_MS);
  afterAll(() => open?.close());

  const goTo = async (tab: string): Promise<void> => {
    await page.goto(`${open.service.baseUrl}/admin?tab=${tab}`);
    await page.getByRole('heading', { name: 'Administration', level: 1 }).waitFor();
  };

  it(
    'is reached by its menu, and axe objects to no part of it',
    async () => {
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Administration' }).click();
      await page.getByRole('heading', { name: 'Administration', level: 1 }).waitFor();
      for (const tab of TABS) {
        await page.getByRole('tab', { name: tab }).click();
        await page.getByRole('tab', { name: tab, selected: true }).waitFor();
        await page
          .getByRole('tabpanel')
          .getByRole('table')
          .or(page.getByRole('heading', { level: 2 }))
          .first()
          .waitFor();
        expect({ tab, findings: await axeFindings(page) }).toEqual({ tab, findings: [] });
        await picture(page, `admin-${tab.toLowerCase().replace(/ /g, '-')}`);
      }
    },
    BOUND_MS,
  );

  it(
    'creates an org with quotas and its first owner, exports it, and deletes it by its name',
    async () => {
      await goTo('orgs');
      await page.getByRole('button', { name: 'New org' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Museum <b>of</b> Lighthouses');
      await dialog.getByLabel('Invite its first owner').fill('lea@example.org');
      await dialog.getByLabel('Storage (GB)').fill('3');
      await picture(page, 'admin-new-org');
      await dialog.getByRole('button', { name: 'Create org' }).click();
      await dialog.getByText('/join/').waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();

      await page.getByLabel('Search by name').fill('lighthouses');
      await page.waitForURL('**q=lighthouses**');
      await page.getByText('1–1 of 1').waitFor();
      const row = page.getByRole('row').filter({ hasText: 'Museum <b>of</b> Lighthouses' });
      await row.getByText('3 GB').waitFor();
      await row.getByRole('button', { name: 'Actions for' }).click();
      await page.getByRole('menuitem', { name: 'Make read-only' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Make read-only' }).click();
      await row.getByText('Read-only').waitFor();

      await page.getByRole('tab', { name: 'Accounts' }).click();
      await page.getByRole('table', { name: 'Open invites' }).getByText('lea@example.org').waitFor();

      await goTo('orgs&q=lighthouses');
      await row.getByRole('button', { name: 'Actions for' }).click();
      await page.getByRole('menuitem', { name: 'Export or delete' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download export' }).click();
      const exported = await readFile(await (await download).path(), 'utf8');
      expect(exported).toContain('Museum <b>of</b> Lighthouses');

      await page.getByRole('button', { name: 'Delete org' }).click();
      const question = page.getByRole('dialog');
      await question.getByText('all workflows with their revisions').waitFor();
      expect(await question.getByRole('button', { name: 'Delete org' }).isDisabled()).toBe(true);
      await question.getByLabel(/to confirm/).fill('Museum <b>of</b> Lighthouses');
      await picture(page, 'admin-delete-org');
      await question.getByRole('button', { name: 'Delete org' }).click();
      await page.getByRole('heading', { name: 'Administration', level: 1 }).waitFor();
      await goTo('jobs');
      await page.getByRole('button', { name: 'Details of Delete an org' }).waitFor({ timeout: 30_000 });
    },
    BOUND_MS,
  );

  it(
    'shows the state of the system and runs repairs, with no complaint of the browser',
    async () => {
      await goTo('system');
      await page
        .getByRole('row', { name: /^Crawlers local/ })
        .getByText('Ready')
        .waitFor();
      await page
        .getByRole('row', { name: /^Free space/ })
        .getByText(/B of .*B/)
        .waitFor();
      await page.getByRole('button', { name: 'Send me a test mail' }).click();
      await page.getByText('The mail was accepted.').waitFor();
      await page.getByRole('row', { name: 'Anybody may register' }).waitFor();
      await page.getByRole('button', { name: 'Set schedules again' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Set schedules again' }).click();
      await page.getByText('It is started.').waitFor();
      expect(open.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

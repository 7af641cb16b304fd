import type { Page } from 'playwright-core';
import { axeFindings, Console, picture } from '../../support/console.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { ADMIN } from '../../support/start-app.js';

const BOUND_MS = 300_000;
/** A sign of life may be on its way when the browser that it is for has just been saved and ended. */
const ENDED = /404 .*\/profiles\/browser\/[^/]+\/ping/;

describe('browser profiles', () => {
  let on: Console;
  let site: TestSite;
  let page: Page;

  beforeAll(async () => {
    [on, site] = await Promise.all([Console.open(), startTestSite()]);
    page = await on.person(ADMIN.email, ADMIN.password, ENDED);
  }, BOUND_MS);

  afterAll(async () => {
    await on?.close();
    await site?.close();
  });

  it(
    'are made in a browser on the page, edited and deleted',
    async () => {
      await page.getByRole('link', { name: 'Browser profiles' }).click();
      await page.getByRole('heading', { name: 'No browser profiles yet' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'New browser profile' }).click();
      await page.getByLabel('Address to start at').fill(`${site.url}/`);
      await page.getByRole('button', { name: 'Open browser' }).click();
      const session = page.getByRole('dialog', { name: 'New browser profile' });
      await session.locator('iframe[title="Browser"]').waitFor({ timeout: BOUND_MS });
      await session.getByText(new URL(site.url).host).waitFor({ timeout: BOUND_MS });
      await picture(page, 'profile-browser');
      await session.getByRole('textbox', { name: 'Name' }).fill('Reader');
      await session.getByRole('button', { name: 'Save profile' }).click();
      await page.getByRole('heading', { level: 1, name: 'Reader' }).waitFor({ timeout: BOUND_MS });
      await page.getByText('No workflow uses this profile.').waitFor();

      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Description' }).fill('Logged in as a reader');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Logged in as a reader').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'profile');

      await page.getByRole('button', { name: 'Log in again' }).click();
      const again = page.getByRole('dialog', { name: 'Logins of Reader' });
      await again.locator('iframe[title="Browser"]').waitFor({ timeout: BOUND_MS });
      await again.getByRole('button', { name: 'Save logins' }).click();
      await again.waitFor({ state: 'hidden', timeout: BOUND_MS });

      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'No browser profiles yet' }).waitFor();
      expect(on.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

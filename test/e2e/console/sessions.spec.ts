import type { Page } from 'playwright-core';
import { axeFindings, Console, picture } from '../../support/console.js';

const BOUND_MS = 240_000;

describe('where somebody is logged in', () => {
  let desk: Console;
  beforeAll(async () => {
    desk = await Console.open();
  }, BOUND_MS);
  afterAll(() => desk?.close());

  const tokenOf = (page: Page): Promise<string> =>
    page.evaluate(() =>
      Object.values({ ...localStorage, ...sessionStorage })
        .flatMap((text) => /ey[\w-]+\.[\w-]+\.[\w-]+/.exec(String(text)) ?? [])
        .join(),
    );
  const answerTo = async (token: string): Promise<number> =>
    (await fetch(`${desk.service.baseUrl}/api/users/me`, { headers: { Authorization: `Bearer ${token}` } })).status;

  it(
    'stands on the account page, is ended there, and ends with the log-out',
    async () => {
      const page = await desk.person();
      const elsewhere = await desk.person(undefined, undefined, /401/);
      const [mine, theirs] = await Promise.all([tokenOf(page), tokenOf(elsewhere)]);
      expect([await answerTo(mine), await answerTo(theirs)]).toEqual([200, 200]);
      await page.goto(`${desk.service.baseUrl}/account`);
      const section = page.getByRole('region', { name: 'Where you are logged in' });
      await section.getByText('This one').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await section.getByText('This one').scrollIntoViewIfNeeded();
      await picture(page, 'sessions');
      await section.getByRole('button', { name: /^End the log-in of .*Chrome/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End this log-in' }).click();
      await page.getByText('The log-in is ended.').waitFor();
      expect([await answerTo(mine), await answerTo(theirs)]).toEqual([200, 401]);
      await elsewhere.reload();
      await elsewhere.getByRole('button', { name: 'Log in' }).waitFor();

      const answered = page.waitForResponse('**/api/auth/jwt/logout');
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await answered;
      await page.getByRole('button', { name: 'Log in' }).waitFor();
      expect(await answerTo(mine)).toBe(401);
      expect(desk.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

import type { Page } from 'playwright-core';
import { axeFindings, Console, exported, logIn, picture } from '../../support/console.js';

const BOUND_MS = 240_000;

describe('API keys', () => {
  let desk: Console;
  let page: Page;
  let org: { id: string; slug: string };

  beforeAll(async () => {
    desk = await Console.open();
    org = await desk.org();
    // That no address may be nonsense is learnt by sending it.
    page = await desk.person(undefined, undefined, /status of 400 .*api-keys/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  }, BOUND_MS);
  afterAll(() => desk?.close());
  afterEach(() => expect(desk.complaints.splice(0)).toEqual([]));

  /** What a script gets with a key. */
  const answerTo = async (key: string, path: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${key}` };
    return (await fetch(`${desk.service.baseUrl}/api${path}`, { headers })).status;
  };
  const items = () => `/orgs/${org.id}/all-crawls`;
  const workflows = () => `/orgs/${org.id}/crawlconfigs`;
  const row = (name: string) =>
    page.getByRole('table', { name: 'API keys' }).getByRole('row').filter({ hasText: name });
  const newKey = (of: Page) => of.getByRole('dialog', { name: 'New key' });

  it(
    'an owner makes a key that may do what it was made for, sees its use and revokes it',
    async () => {
      await page.goto(`${desk.service.baseUrl}/o/${org.slug}/settings?tab=keys`);
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = newKey(page);
      await dialog.getByLabel('What is it for?').fill('Nightly report');
      await dialog.getByRole('button', { name: 'Make key' }).click();
      await dialog.getByText('Choose at least one.').waitFor();
      expect(await dialog.getByLabel('Administer the whole service').count()).toBe(0);
      await dialog.getByLabel('See and download archived items').check();
      await dialog.getByLabel('Only from these addresses').fill('nowhere');
      await dialog.getByRole('button', { name: 'Make key' }).click();
      await dialog.getByText('neither an address nor a network').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'keys-new');
      await dialog.getByLabel('Only from these addresses').press('Backspace');
      await dialog.getByLabel('Only from these addresses').fill('127.0.0.0/8');
      await dialog.getByRole('button', { name: 'Make key' }).click();
      await dialog.waitFor({ state: 'detached' });

      const notice = page.getByRole('alert').filter({ hasText: 'Copy the key “Nightly report” now' });
      const key = (await notice.getByLabel('Key', { exact: true }).textContent()) ?? '';
      expect(key).toMatch(/^mnm_/);
      await notice.getByRole('button', { name: 'Copy key' }).click();
      await notice.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'keys-made');
      await row('Nightly report').getByText('never').waitFor();
      expect(await answerTo(key, items())).toBe(200);
      expect(await answerTo(key, workflows())).toBe(403);

      await page.reload();
      await row('Nightly report').getByText('Only from 127.0.0.0/8').waitFor();
      expect(await row('Nightly report').getByText('never').count()).toBe(0);
      expect(await page.getByText(key).count()).toBe(0);
      await picture(page, 'keys');
      const csv = await exported(page, 'API keys');
      expect(csv).toContain('Nightly report,mnm_');
      expect(csv).not.toContain(key);

      await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
      const question = page.getByRole('dialog', { name: 'Revoke Nightly report' });
      await question.getByText('“Nightly report” are refused at once').waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      expect(await answerTo(key, items())).toBe(200);
      await page.getByRole('button', { name: 'Revoke Nightly report' }).click();
      await question.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('heading', { name: 'No keys yet' }).waitFor();
      expect(await answerTo(key, items())).toBe(401);
    },
    BOUND_MS,
  );

  it(
    'a viewer has keys of their own, which open no more than a viewer sees',
    async () => {
      const member = { email: 'vera@example.org', password: 'a pass phrase of hers', name: 'Vera', role: 10 };
      await desk.service.call('POST', `/orgs/${org.id}/add-user`, member);
      const theirs = await desk.visitor();
      await theirs.goto(`${desk.service.baseUrl}/account`);
      await logIn(theirs, member.email, member.password);
      await theirs.getByRole('button', { name: 'New key' }).click();
      const dialog = newKey(theirs);
      await dialog.getByLabel('What is it for?').fill('My reader');
      await dialog.getByRole('button', { name: 'All that only looks' }).click();
      await dialog.getByLabel('Create, change and delete workflows').check();
      await dialog.getByRole('combobox', { name: 'Ends by itself' }).click();
      await theirs.getByRole('option', { name: 'At the end of a day …' }).click();
      await dialog.getByLabel('Last day').fill('2099-12-31');
      await dialog.getByRole('button', { name: 'Make key' }).click();
      const key = (await theirs.getByLabel('Key', { exact: true }).textContent()) ?? '';
      expect(await axeFindings(theirs)).toEqual([]);
      await picture(theirs, 'keys-own');
      expect(await answerTo(key, workflows())).toBe(200);
      const body = JSON.stringify({ name: 'x', config: { seeds: [{ url: 'https://example.org/' }] } });
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const made = await fetch(`${desk.service.baseUrl}/api${workflows()}/`, { method: 'POST', headers, body });
      expect(made.status).toBe(403);
      await theirs.getByRole('button', { name: 'Done' }).click();
      await theirs.getByText(key).waitFor({ state: 'detached' });
      await theirs.getByRole('button', { name: 'Revoke My reader' }).click();
      await theirs.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await theirs.getByRole('heading', { name: 'No keys yet' }).waitFor();
      expect(await answerTo(key, items())).toBe(401);
      await theirs.goto(`${desk.service.baseUrl}/o/${org.slug}/settings?tab=keys`);
      await theirs.getByRole('heading', { name: 'Settings are for owners of the org' }).waitFor();
    },
    BOUND_MS,
  );

  it(
    'an owner makes a service account with a key that is limited to one workflow, disables and deletes it',
    async () => {
      const workflow = { name: 'The one', config: { seeds: [{ url: 'https://example.org/' }] } };
      const { id: cid } = (await desk.service.call('POST', `${workflows()}/`, workflow)) as { id: string };
      await page.goto(`${desk.service.baseUrl}/o/${org.slug}/settings?tab=keys`);
      await page.getByRole('heading', { name: 'No service accounts yet' }).waitFor();
      await page.getByRole('button', { name: 'New service account' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Nightly <b>harvest</b>');
      await picture(page, 'service-account-new');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: /Nightly <b>harvest/ }).click();
      const panel = page.getByRole('region').filter({ hasText: 'Made by' });
      await panel.getByRole('button', { name: 'New key' }).click();
      const dialog = newKey(page);
      await dialog.getByLabel('What is it for?').fill('First');
      await dialog.getByRole('button', { name: 'All that only looks' }).click();
      await dialog.getByLabel('Only these workflows').click();
      await page.getByRole('option', { name: 'The one' }).click();
      await page.keyboard.press('Escape');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'service-account-key');
      await dialog.getByRole('button', { name: 'Make key' }).click();
      const key = (await page.getByLabel('Key', { exact: true }).textContent()) ?? '';
      await page.getByText('Only 1 workflow').waitFor();
      expect(await answerTo(key, `${items()}?cid=${cid}`)).toBe(200);
      expect(await answerTo(key, items())).toBe(403);
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'service-account');
      await panel.getByRole('button', { name: 'Disable' }).click();
      await panel.getByRole('button', { name: 'Enable' }).waitFor();
      expect(await answerTo(key, `${items()}?cid=${cid}`)).toBe(401);
      await panel.getByRole('button', { name: /^Delete/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'No service accounts yet' }).waitFor();
    },
    BOUND_MS,
  );
});

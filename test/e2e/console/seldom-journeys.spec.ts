import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import mongoose from 'mongoose';
import type { Page } from 'playwright-core';
import { axeFindings, Console, exported, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { startS3Server } from '../../support/s3-server.js';
import { ADMIN } from '../../support/start-app.js';

const BOUND_MS = 240_000;
const KEY = 'muniment.session';
const s3 = await startS3Server();

/** An external billing service: a portal of its own, and a price. */
async function billingService(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const url = `http://${request.headers.host ?? ''}`;
    if (request.url?.endsWith('/portalUrl')) return void response.end(JSON.stringify({ portalUrl: `${url}/portal` }));
    if (request.url?.includes('/prices/')) return void response.end(JSON.stringify({ value: 0.05, currency: 'EUR' }));
    response.setHeader('content-type', 'text/html').end('<h1>Your plan</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

describe('journeys that people seldom take', () => {
  let open: Console;
  let page: Page;
  let billing: Awaited<ReturnType<typeof billingService>>;

  beforeAll(async () => {
    billing = await billingService();
    open = await Console.open({
      BILLING_ENABLED: 'true',
      BTRIX_SUBS_APP_URL: billing.url,
      BTRIX_SUBS_APP_API_KEY: 'shared-secret-of-tests',
      JWT_TOKEN_LIFETIME_MINUTES: '240',
      CUSTOM_STORAGES_ENABLED: 'true',
      ALLOW_PRIVATE_ADDRESSES: 'crawls,webhooks,storages',
    });
    // That a public page is off is learnt by asking for it.
    page = await open.person(ADMIN.email, ADMIN.password, /404 .*\/public\/orgs\//);
  }, BOUND_MS);
  afterAll(async () => {
    await open?.close();
    billing?.server.close();
    await s3?.stop();
  });

  const settings = async (slug: string, tab: string): Promise<void> => {
    await page.goto(`${open.service.baseUrl}/o/${slug}/settings?tab=${tab}`);
    await page.getByRole('heading', { name: 'Org settings', level: 1 }).waitFor();
  };

  it(
    "an owner sees the org's public page before it is on",
    async () => {
      const { slug } = await open.org();
      await settings(slug, 'general');
      await page.getByRole('link', { name: 'See the public page' }).click();
      await page.getByText('The public profile of this org is off').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'public-preview');
    },
    BOUND_MS,
  );

  it(
    'a subscriber is led to the billing portal',
    async () => {
      const { id } = await open.service.call<{ id: string }>('POST', '/subscriptions/create', {
        subId: 'sub-1',
        status: 'active',
        planId: 'basic',
        firstAdminInviteEmail: 'owner@example.org',
      });
      const { slug } = await open.service.call<{ slug: string }>('GET', `/orgs/${id}`);
      await settings(slug, 'billing');
      await page.getByText('€30.00').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'settings-billing');
      await page.getByRole('button', { name: 'Manage billing' }).click();
      await page.getByRole('heading', { name: 'Your plan' }).waitFor();
      expect(page.url()).toBe(`${billing.url}/portal`);
    },
    BOUND_MS,
  );

  it(
    'a list is exported whole, not the page of it that is shown',
    async () => {
      const org = await open.org();
      const names = Array.from({ length: 23 }, (_, n) => `Paper ${String(n)}, "the" daily`);
      for (const name of names)
        await open.service.call('POST', `/orgs/${org.id}/crawlconfigs/`, {
          ...{ name, config: { seeds: [{ url: 'https://example.org/' }] } },
        });
      await page.goto(`${open.service.baseUrl}/o/${org.slug}/workflows`);
      const text = await exported(page, 'Workflows');
      for (const name of names) expect(text).toContain(`"${name.replace(/"/g, '""')}"`);
    },
    BOUND_MS,
  );

  it(
    'tables that are no list are exported too: members with their addresses, orgs of mine, the state of the system',
    async () => {
      const { id, slug } = await open.org();
      const member = { email: 'mia@example.org', password: 'a pass phrase of hers', name: 'Mia', role: 20 };
      await open.service.call('POST', `/orgs/${id}/add-user`, member);
      await settings(slug, 'members');
      expect(await exported(page, 'Members')).toContain('\r\nMia,20,mia@example.org\r\n');
      await page.goto(`${open.service.baseUrl}/account`);
      expect(await exported(page, 'Your orgs')).toContain('\r\nMy Organization,Superadmin\r\n');
      await page.goto(`${open.service.baseUrl}/admin?tab=system`);
      expect(await exported(page, 'Health')).toContain('\r\nCrawlers,local: Ready\r\n');
      expect(await exported(page, 'Settings in force')).toContain('\r\nbillingEnabled,Yes\r\n');
    },
    BOUND_MS,
  );

  it(
    'an administrator takes an org in that was exported',
    async () => {
      const { id } = await open.service.call<{ id: string }>('POST', '/orgs/create', { name: 'To be moved' });
      const { slug } = await open.service.call<{ slug: string }>('GET', `/orgs/${id}`);
      await settings(slug, 'administration');
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download export' }).click();
      const file = await (await download).path();
      expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ data: { org: { name: 'To be moved' } } });
      await page.goto(`${open.service.baseUrl}/admin?tab=system`);
      await page.getByText('Choose export').waitFor();
      await open.service.call('DELETE', `/orgs/${id}`);
      const names = async (): Promise<string[]> =>
        (await open.service.call<{ items: { name: string }[] }>('GET', '/orgs')).items.map(({ name }) => name);
      await eventually(async () => expect(await names()).not.toContain('To be moved'), 60_000);

      await page.locator('input[type=file]').setInputFiles({
        name: 'moved.json',
        mimeType: 'application/json',
        buffer: await readFile(file),
      });
      await picture(page, 'admin-import');
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('The org is imported.').waitFor();
      expect(await names()).toContain('To be moved');
    },
    BOUND_MS,
  );

  it(
    'an owner resumes a receiver that was paused',
    async () => {
      const { id, slug } = await open.org();
      await open.service.call('POST', `/orgs/${id}/event-webhook-urls`, { crawlFinished: `${billing.url}/hook` });
      // A receiver is paused after it failed for days.
      const { MONGO_DB_URL: url = '', MONGO_DB_NAME: dbName = '' } = open.service.env;
      const connection = await mongoose.createConnection(url, { dbName }).asPromise();
      const endpoints = connection.collection<{ _id: string; paused: boolean }>('webhook_endpoints');
      const _id = `${id}:crawlFinished`;
      const failingSince = new Date(Date.now() - 5 * 86_400_000);
      const oid = new mongoose.mongo.UUID(id);
      await endpoints.insertOne({
        _id,
        oid,
        event: 'crawlFinished',
        paused: true,
        failingSince,
        lastSuccess: null,
      } as never);
      await settings(slug, 'webhooks');
      const notice = page.getByRole('alert').filter({ hasText: 'Crawl finished: paused' });
      await notice.getByText('5 days ago').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'settings-webhook-paused');
      await notice.getByRole('button', { name: 'Resume and send what was kept' }).click();
      await notice.waitFor({ state: 'detached' });
      expect(await endpoints.findOne({ _id })).toMatchObject({ paused: false });
      await connection.close();
    },
    BOUND_MS,
  );

  (s3 ? it : it.skip)(
    'an owner adds a storage of their own, stores new files there and removes it when it is out of use',
    async () => {
      const { slug } = await open.org();
      await settings(slug, 'storage');
      await page.getByRole('button', { name: 'Add storage' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('attic');
      await dialog.getByLabel('Address of the store').fill(s3?.url ?? '');
      await dialog
        .getByLabel('Bucket', { exact: true })
        .or(dialog.locator('input').nth(2))
        .first()
        .fill(s3?.bucket ?? '');
      await dialog.getByLabel('Access key').fill(s3?.accessKey ?? '');
      await dialog.getByLabel('Secret key').fill(s3?.secretKey ?? '');
      await dialog.getByRole('combobox', { name: 'Where the bucket stands' }).click();
      await page.getByRole('option', { name: 'In the path' }).click();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'settings-add-storage');
      await dialog.getByRole('button', { name: 'Add storage' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Your own', { exact: true }).waitFor();
      const store = page.getByRole('combobox', { name: 'Store new files in' });
      const choose = async (name: string): Promise<void> => {
        await store.click();
        await page.getByRole('option', { name }).click();
        await page.getByRole('button', { name: 'Save storage' }).click();
      };
      const remove = page.getByRole('button', { name: 'Remove storage: attic' });
      await remove.waitFor();
      await choose('attic');
      await remove.waitFor({ state: 'detached' });
      await picture(page, 'settings-own-storage');
      await choose('default');
      await remove.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove storage' }).click();
      await remove.waitFor({ state: 'detached' });
    },
    BOUND_MS,
  );

  it(
    'a login is renewed in the middle of an edit, which goes on',
    async () => {
      const { slug } = await open.org();
      const context = await open.browser.newContext();
      const theirs = await context.newPage();
      await theirs.clock.install();
      const token = await page.evaluate((key) => localStorage.getItem(key), KEY);
      await theirs.addInitScript(([key, kept]) => localStorage.setItem(key, kept), [KEY, token ?? ''] as const);
      await theirs.goto(`${open.service.baseUrl}/o/${slug}/settings?tab=general`);
      await theirs.getByLabel('About the org').fill('Half a senten');
      // The login lasts four hours; the browser's clock comes near their end.
      const renewed = theirs.waitForResponse((response) => response.url().endsWith('/api/auth/jwt/refresh'));
      await theirs.clock.fastForward('03:55:00');
      expect((await renewed).status()).toBe(200);
      await eventually(async () =>
        expect(await theirs.evaluate((key) => localStorage.getItem(key), KEY)).not.toBe(token),
      );
      expect(await theirs.getByLabel('About the org').inputValue()).toBe('Half a senten');
      await theirs.getByLabel('About the org').fill('Half a sentence.');
      await theirs.getByRole('button', { name: 'Save public page' }).click();
      await theirs.getByText('Saved.', { exact: true }).waitFor();
      await context.close();
    },
    BOUND_MS,
  );

  it('end with no complaint of the browser', () => {
    expect(open.complaints).toEqual([]);
  });
});

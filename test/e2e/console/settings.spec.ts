import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { axeFindings, Console, logIn, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';

const BOUND_MS = 240_000;
const TABS = [
  'General',
  'Members',
  'Quotas and usage',
  'Crawling defaults',
  'Storage',
  'Webhooks',
  'API keys',
  'Background jobs',
  'Administration',
];

describe('settings of an org', () => {
  let open: Console;
  let page: Page;
  let org: { id: string; slug: string };
  let receiver: Server;
  let answers = 200;
  const received: string[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => {
        received.push(body);
        response.writeHead(answers).end(answers === 200 ? 'thank you' : 'no room left');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    open = await Console.open({ ALLOW_PRIVATE_ADDRESSES: 'crawls,webhooks' });
    org = await open.org();
    page = await open.person();
  }, BOUND_MS);
  afterAll(async () => {
    await open?.close();
    receiver?.close();
  });

  const goTo = async (tab: string): Promise<void> => {
    await page.goto(`${open.service.baseUrl}/o/${org.slug}/settings?tab=${tab}`);
    await page.getByRole('heading', { name: 'Org settings', level: 1 }).waitFor();
  };
  const tell = (text: string) => page.getByText(text, { exact: true }).last().waitFor();

  it(
    'have no part that axe objects to',
    async () => {
      await goTo('general');
      for (const tab of TABS) {
        await page.getByRole('tab', { name: tab }).click();
        await page
          .getByRole('tabpanel')
          .getByRole('heading')
          .or(page.getByText('No background jobs yet'))
          .first()
          .waitFor();
        expect({ tab, findings: await axeFindings(page) }).toEqual({ tab, findings: [] });
        await picture(page, `settings-${tab.toLowerCase().replace(/ /g, '-')}`);
      }
    },
    BOUND_MS,
  );

  it(
    'let an owner name the org and show its public page',
    async () => {
      await goTo('general');
      await page.getByLabel('Name of the org').fill('Archives of Åland');
      await page.getByLabel('Address').fill('aland');
      await page.getByRole('button', { name: 'Save name' }).click();
      await page.waitForURL('**/o/aland/settings**');
      org = await open.org();
      expect(org.slug).toBe('aland');
      await page.getByLabel('Show the public page').check();
      await page.getByLabel('About the org').fill('What the islands say of themselves.');
      await page.getByRole('button', { name: 'Save public page' }).click();
      // The name's own "Saved." may still be shown, so what is stored is waited for.
      await eventually(async () =>
        expect(await open.service.call('GET', `/orgs/${org.id}`)).toMatchObject({
          name: 'Archives of Åland',
          enablePublicProfile: true,
          publicDescription: 'What the islands say of themselves.',
        }),
      );
    },
    BOUND_MS,
  );

  it(
    'let an owner invite somebody, change their role and remove them',
    async () => {
      await goTo('members');
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Email').fill('vera@example.org');
      await dialog.getByRole('button', { name: 'Send invite' }).click();
      const link = await dialog.getByText('/join/').textContent();
      await picture(page, 'settings-invited');
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('table', { name: 'Open invites' }).getByText('vera@example.org').waitFor();
      const token = /join\/([\w-]+)/.exec(link ?? '')?.[1];
      const vera = { name: 'Vera Viewer', email: 'vera@example.org', password: 'a pass phrase of hers' };
      const response = await fetch(`${open.service.baseUrl}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...vera, inviteToken: token }),
      });
      expect(response.status).toBe(201);
      await page.reload();
      await page.getByRole('combobox', { name: 'Role of Vera Viewer' }).click();
      await page.getByRole('option', { name: 'Viewer' }).click();
      await tell('Saved.');
      const { users } = await open.service.call<{ users: Record<string, { role: number }> }>('GET', `/orgs/${org.id}`);
      expect(users[vera.email]?.role).toBe(10);

      const hers = await open.visitor();
      await hers.goto(`${open.service.baseUrl}/o/${org.slug}/settings`);
      await logIn(hers, vera.email, vera.password);
      await hers.getByText('Settings are for owners of the org').waitFor();
      expect(await axeFindings(hers)).toEqual([]);
      await hers.context().close();

      await page.getByRole('button', { name: 'Remove Vera Viewer from the org' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove from the org' }).click();
      await page.getByText('Vera Viewer', { exact: true }).waitFor({ state: 'detached' });
    },
    BOUND_MS,
  );

  it(
    'keep defaults for new workflows, and quotas',
    async () => {
      await goTo('defaults');
      await page.getByLabel('Crawl time limit (minutes)').fill('90');
      await page.getByLabel('Pages to leave out').fill('/calendar/\n\\?print=');
      await page.getByLabel('Block ads').check();
      await page.getByRole('button', { name: 'Save defaults' }).click();
      await tell('Saved.');
      await goTo('usage');
      await page.getByLabel('Storage (GB)').fill('25');
      await page.getByRole('button', { name: 'Save quotas' }).click();
      await page.getByText('of 25 GB').waitFor();
      const record = await open.service.call('GET', `/orgs/${org.id}`);
      expect(record).toMatchObject({
        crawlingDefaults: { crawlTimeout: 5400, exclude: ['/calendar/', '\\?print='], blockAds: true },
        quotas: { storageQuota: 25_000_000_000, maxPagesPerCrawl: 0 },
      });
    },
    BOUND_MS,
  );

  it(
    'post what happens to an address, show what was answered and send it again',
    async () => {
      const port = String((receiver.address() as AddressInfo).port);
      await goTo('webhooks');
      await page.getByLabel('One address for all').fill(`http://127.0.0.1:${port}/hook`);
      await page.getByRole('button', { name: 'Use for all events' }).click();
      await page.getByRole('button', { name: 'Save addresses' }).click();
      await tell('Saved.');
      await page.getByRole('button', { name: 'Send a test: Crawl finished' }).click();
      await page.getByText(/^The receiver answered 200 after/).waitFor();
      expect(received.at(-1)).toContain('"test":true');
      await page.getByRole('button', { name: 'Show secret' }).click();
      const secret = await page.getByText(/^whsec_/).textContent();
      await page.getByRole('button', { name: 'Replace secret' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
      await page.getByText('The old secret also signs until').waitFor();
      expect(await page.getByText(/^whsec_/).textContent()).not.toBe(secret);

      answers = 507;
      const { id } = await open.service.call<{ id: string }>('POST', `/orgs/${org.id}/collections`, {
        name: 'Gone soon',
      });
      await open.service.call('DELETE', `/orgs/${org.id}/collections/${id}`);
      const log = page.getByRole('table', { name: 'Deliveries' });
      await log.getByText('507').waitFor({ timeout: 60_000 });
      answers = 200;
      await log.getByRole('button', { name: 'Collection deleted' }).first().click();
      const delivery = page.getByRole('dialog');
      await delivery.getByText('no room left').first().waitFor();
      await delivery.getByText(id).first().waitFor();
      await delivery.getByRole('button', { name: 'Send again' }).click();
      await delivery.getByText('Delivered', { exact: true }).waitFor({ timeout: 60_000 });
      await delivery.getByText('thank you').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'settings-delivery');
      expect(received.at(-1)).toContain(id);
    },
    BOUND_MS,
  );

  it(
    'list a job with its log, and end with no complaint of the browser',
    async () => {
      await goTo('usage');
      await page.getByRole('button', { name: 'Recount' }).click();
      await tell('The storage is being recounted.');
      await goTo('jobs');
      await page.getByRole('button', { name: 'Details of Recount what an org stores' }).click();
      await page.getByRole('dialog').getByRole('heading', { name: 'Log' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(open.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

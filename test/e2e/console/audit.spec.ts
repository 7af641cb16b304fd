import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { days } from '../../../src/common/units/durations.js';
import { DayClosing } from '../../../src/ledger/day-closing.js';
import { storeLines } from '../../support/audit-lines.js';
import { launchBrowser, openPage } from '../../support/browser.js';
import { axeFindings, logIn, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { aMember, anOrg, PASSWORD, type Member } from '../../support/people.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

const BOUND_MS = 120_000;
/** With them there is more than a page. */
const OLD_LINES = 55;
/** The org's making, its owner's, what the test sets, and what was refused. */
const RECENT_LINES = 4;
const PAGE_SIZE = 50;

/** A day of the browser's, as addresses and fields have it. */
const dayBefore = (count: number): string => new Date(Date.now() - days(count)).toLocaleDateString('sv-SE');

describe('the audit log in the console', () => {
  let under: AppUnderTest;
  let browser: Browser;
  let page: Page;
  let oid: string;
  let owner: Member;
  const complaints: string[] = [];

  beforeAll(async () => {
    under = await startApp({ today: true });
    under.clock.set(new Date());
    oid = await anOrg(under, { name: 'Åland’s archive' });
    owner = await aMember(under, oid, 40);
    const at = new Date(Date.now() - days(3));
    const others = { actor: owner.id, action: 'updateCrawlConfig', targetKind: 'workflow', target: oid };
    await storeLines(under, [
      ...Array.from({ length: OLD_LINES }, () => ({ ...others, oid, at })),
      { ...others, oid, at: new Date(Date.now() - days(2)), outcome: 'refused', status: 403 },
      { at, actorKind: 'cli', actor: null, action: 'cli.signingKeyRotated', address: null, requestId: null },
    ]);
    const closing = under.app.get(DayClosing, { strict: false });
    await closing.findChains();
    await closing.drain();
    browser = await launchBrowser();
  }, BOUND_MS);
  afterAll(async () => {
    await browser?.close();
    await under?.close();
  });
  beforeEach(async () => {
    page = await openPage(browser, { viewport: { width: 1280, height: 900 }, acceptDownloads: true });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  });
  afterEach(async () => {
    await page.context().close();
    expect(complaints.splice(0)).toEqual([]);
  });

  const seen = async (name: string): Promise<void> => {
    await picture(page, `audit-${name}`);
    expect(await axeFindings(page)).toEqual([]);
  };
  const come = async (path: string, email: string, password: string): Promise<void> => {
    await page.goto(`${under.baseUrl}${path}`);
    await logIn(page, email, password);
    await entries().waitFor();
  };
  const entries = () => page.getByRole('table', { name: 'Audit log' });
  /** Waits until the table has so many entries, below its head. */
  const listed = (count: number) =>
    eventually(async () => expect(await entries().getByRole('row').count()).toBe(count + 1));
  const closed = () => page.getByRole('table', { name: 'Closed days' });
  const saved = async (link: string): Promise<Buffer> => {
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: link }).first().click();
    return readFile(await (await download).path());
  };
  const choose = async (outcome: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: outcome }).click();
  };

  it(
    'tells an owner what a setting was and is, is narrowed and turned, and gives files',
    async () => {
      await owner.api.post(`/orgs/${oid}/public-profile`, { enablePublicProfile: true });
      await come(`/o/${oid}/settings?tab=audit&from=${dayBefore(2)}`, owner.email, PASSWORD);
      await closed().waitFor();
      await listed(RECENT_LINES);
      await seen('owner');
      await page.getByRole('button', { name: 'Details of Set org public profile' }).click();
      const panel = page.getByRole('dialog');
      await panel.getByRole('row', { name: 'enablePublicProfile Off On' }).waitFor();
      await panel.getByText('127.0.0.1').waitFor();
      await seen('entry');
      await panel.getByRole('button', { name: 'of the same kind' }).click();
      await panel.waitFor({ state: 'detached' });
      await page.waitForURL('**action=**');
      await listed(1);

      await choose('Refused');
      await page.getByText('Nothing matches these filters.').waitFor();
      await seen('filtered');
      await page.getByRole('button', { name: 'Remove filter' }).click();
      await entries().getByText('Refused').waitFor();
      await listed(1);
      const csv = (await saved('Export as CSV')).toString('utf8').trim().split('\n');
      expect(csv).toHaveLength(2);
      expect(csv[1]).toContain('"refused"');

      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByRole('button', { name: 'Older' }).click();
      await page.getByRole('button', { name: 'Older', disabled: true }).waitFor();
      await listed(OLD_LINES + RECENT_LINES - PAGE_SIZE);
      await page.getByRole('button', { name: 'Newer' }).click();
      await listed(PAGE_SIZE);

      const files = gunzipSync(await saved('Download'));
      expect(files.toString('utf8')).toContain('"outcome":"refused"');
      expect(await closed().getByRole('row').count()).toBe(3);
    },
    BOUND_MS,
  );

  it(
    'tells superusers of all orgs and of the service',
    async () => {
      await come(`/admin?tab=audit&from=${dayBefore(2)}`, ADMIN.email, ADMIN.password);
      await entries().getByRole('link', { name: 'Åland’s archive' }).first().waitFor();
      await closed().waitFor();
      await seen('all');
      expect(await closed().getByRole('row').count()).toBe(2);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByLabel('To').fill(dayBefore(3));
      await page.waitForURL('**to=**');
      await entries().getByRole('button', { name: 'Details of Update crawl config' }).first().waitFor();
    },
    BOUND_MS,
  );
});

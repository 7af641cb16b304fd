import type { Page } from 'playwright-core';
import { axeFindings, Console, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { ADMIN } from '../../support/start-app.js';
import { packedPerRecord, siteRecords, warcinfo } from '../../support/warc.js';

const BOUND_MS = 400_000;
const SLOW_MS = 120_000;

describe('archived items', () => {
  let under: Console;
  let site: TestSite;
  let page: Page;
  let oid: string;
  let slug: string;
  /** Two crawls of one workflow; the second one without `/js.html`. */
  let older: string;
  let newer: string;

  const seeds = () => ['/', '/js.html'].map((path) => ({ url: `${site.url}${path}`, scopeType: 'page' }));
  async function finished(id: string): Promise<string> {
    await eventually(async () => {
      const { state } = await under.service.call('GET', `/orgs/${oid}/all-crawls/${id}/replay.json`);
      expect(state).toBe('complete');
    }, SLOW_MS);
    return id;
  }
  async function upload(): Promise<void> {
    const form = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password });
    const login = await fetch(`${under.service.baseUrl}/api/auth/jwt/login`, { method: 'POST', body: form });
    const { access_token } = (await login.json()) as { access_token: string };
    const address = `${under.service.baseUrl}/api/orgs/${oid}/uploads/stream?filename=old.warc.gz&name=An+old+copy`;
    const body = packedPerRecord([warcinfo(), ...siteRecords()]);
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/octet-stream' };
    const answer = await fetch(address, { method: 'PUT', headers, body: new Uint8Array(body) });
    await finished(((await answer.json()) as { id: string }).id);
  }

  beforeAll(async () => {
    site = await startTestSite();
    under = await Console.open();
    ({ id: oid, slug } = await under.org());
    const workflow = await under.service.call('POST', `/orgs/${oid}/crawlconfigs/`, {
      ...{ jobType: 'custom', name: 'The test site', browserWindows: 1, runNow: true },
      config: { seeds: seeds(), scopeType: 'page', behaviors: '' },
    });
    older = await finished(workflow.run_now_job as string);
    const config = { seeds: seeds().slice(0, 1), scopeType: 'page', behaviors: '' };
    await under.service.call('PATCH', `/orgs/${oid}/crawlconfigs/${workflow.id}`, { config });
    const run = await under.service.call('POST', `/orgs/${oid}/crawlconfigs/${workflow.id}/run`);
    newer = await finished(run.started as string);
    await upload();
    await under.service.call('POST', `/orgs/${oid}/collections`, { name: 'Reading room' });
    page = await under.person();
  }, BOUND_MS);
  afterAll(async () => {
    await under?.close();
    await site?.close();
  });

  const open = async (path: string): Promise<void> =>
    void (await page.goto(`${under.service.baseUrl}/o/${slug}${path}`));
  const rows = () => page.getByRole('table', { name: 'Archived items' }).getByRole('row');
  const fine = async (): Promise<void> => expect(await axeFindings(page)).toEqual([]);
  const showsArchived = (url: string): Promise<void> =>
    eventually(() => {
      const shown = page.frames().map((frame) => frame.url());
      expect(shown.filter((one) => one.endsWith(`mp_/${url}`))).not.toEqual([]);
    }, SLOW_MS);

  it(
    'are found by filters that stand in the address, and by saved views',
    async () => {
      await open('/items');
      await eventually(async () => expect(await rows().count()).toBe(4));
      await picture(page, 'items-list');
      await fine();
      await page.getByText('Uploads', { exact: true }).last().click();
      await eventually(async () => expect(await rows().count()).toBe(2));
      expect(page.url()).toContain('type=upload');
      await page.getByRole('button', { name: 'Saved views' }).click();
      await page.getByLabel('Name of the view').fill('What we were given');
      await page.getByRole('button', { name: 'Save this view' }).click();
      await open('/items');
      await eventually(async () => expect(await rows().count()).toBe(4));
      await page.getByRole('button', { name: 'Saved views' }).click();
      await page.getByRole('button', { name: 'What we were given', exact: true }).click();
      await eventually(async () => expect(await rows().count()).toBe(2));
      await page.reload();
      await page.getByRole('link', { name: 'An old copy' }).waitFor();
    },
    BOUND_MS,
  );

  it(
    'are tagged and collected together, and two crawls are compared',
    async () => {
      await open('/items?type=crawl');
      await page.getByLabel('Select all on this page').check();
      await page.getByRole('button', { name: 'Add tags' }).click();
      await page.getByRole('dialog').getByLabel('Tags').fill('kept');
      await page.getByRole('dialog').getByLabel('Tags').press('Enter');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('2 items were tagged.').waitFor();
      await page.getByRole('toolbar').waitFor({ state: 'hidden' });
      await page.getByText('kept', { exact: true }).first().waitFor();
      await page.getByLabel('Select all on this page').check();
      await page.getByRole('button', { name: 'Add to collection' }).click();
      await page.getByRole('dialog').getByLabel('Collection').click();
      await page.getByRole('option', { name: 'Reading room' }).click();
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('2 items were added to Reading room.').waitFor();
      await page.getByRole('toolbar').waitFor({ state: 'hidden' });
      await page.getByLabel('Select all on this page').check();
      await page.getByRole('link', { name: 'Compare' }).click();
      await page.getByText('Gone (1)').click();
      await page.getByText(`${site.url}/js.html`).first().waitFor();
      await page.getByText('Same (1)').click();
      await page.getByRole('button', { name: `Side by side: ${site.url}/`, exact: true }).click();
      await eventually(() => {
        const shown = page.frames().filter((frame) => frame.url().endsWith(`mp_/${site.url}/`));
        expect(shown).toHaveLength(2);
      }, SLOW_MS);
      await picture(page, 'items-compare');
      await fine();
      expect(page.url()).toContain(`a=${older}`);
      expect(page.url()).toContain(`b=${newer}`);
    },
    BOUND_MS,
  );

  it(
    'show what they are, their pages, files and settings, and replay',
    async () => {
      await open(`/items/${older}`);
      await page.getByRole('heading', { name: 'The test site' }).waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Description').fill('The copy of record');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The copy of record').waitFor();
      await page.getByText('Signed by this service').waitFor();
      const [proof] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('link', { name: 'Page to print' }).click(),
      ]);
      await proof.getByRole('heading', { name: 'Custody of The test site' }).waitFor();
      await proof.getByRole('cell', { name: 'this service', exact: true }).waitFor();
      await proof.close();
      await fine();
      await picture(page, 'items-overview');

      await page.getByRole('tab', { name: 'Pages' }).click();
      await page.getByLabel('Words of the title, or a whole address').fill(`${site.url}/js.html`);
      await eventually(async () => expect(await page.getByRole('table').getByRole('row').count()).toBe(2));
      await page.getByRole('button', { name: /Notes on/ }).click();
      await page.getByLabel('New note').fill('Looks right');
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.getByRole('dialog').getByText('Looks right').waitFor();
      await page.keyboard.press('Escape');
      await fine();
      await page.getByRole('link', { name: /^Replay / }).click();
      await showsArchived(`${site.url}/js.html`);
      await fine();

      await page.getByRole('tab', { name: 'Files' }).click();
      await page
        .getByRole('button', { name: /^Copy [0-9a-f]{64}$/ })
        .first()
        .waitFor();
      await fine();
      await page.getByRole('tab', { name: 'Logs' }).click();
      await page.getByRole('link', { name: 'Download all logs' }).waitFor();
      await page.getByRole('tab', { name: 'Settings used' }).click();
      await page.getByText('scope type').waitFor();
      await fine();
    },
    BOUND_MS,
  );

  it(
    'are deleted after a question that names them',
    async () => {
      await open('/items?type=upload');
      await page.getByRole('link', { name: 'An old copy' }).click();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete An old copy?' }).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('1 item was deleted.').waitFor();
      await eventually(async () => expect(await rows().count()).toBe(3));
      expect(under.complaints).toEqual([]);
    },
    BOUND_MS,
  );
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { axeFindings, Console, logIn, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { ADMIN } from '../../support/start-app.js';
import { response, warcinfo } from '../../support/warc.js';
import { loadScript } from '../../start/load.js';

const { findChromium } = await loadScript<{ findChromium: () => Promise<string> }>('provision/chromium.mjs');

const BOUND_MS = 300_000;
const MB = 1_000_000;

/** A WARC of one page, and as many bytes more as wanted. */
const aWarc = (title: string, bytes = 0): Buffer =>
  Buffer.concat([
    warcinfo(),
    response('https://example.org/', 'text/html', `<title>${title}</title><h1>${title}</h1>`),
    ...(bytes > 0 ? [response('https://example.org/data', 'application/octet-stream', randomBytes(bytes))] : []),
  ]);

describe('journey 7: uploads', () => {
  let desk: Console;
  let folder: string;
  let slug: string;

  beforeAll(async () => {
    desk = await Console.open();
    ({ slug } = await desk.org());
    folder = await mkdtemp(join(tmpdir(), 'muniment-uploads-'));
  }, BOUND_MS);
  afterAll(async () => {
    await desk?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const file = async (name: string, bytes: Buffer): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };
  const open = async (page: Page): Promise<void> => {
    await page.goto(`${desk.service.baseUrl}/o/${slug}/uploads`);
    await page.getByRole('heading', { name: 'Uploads', level: 1 }).waitFor();
  };
  const choose = async (page: Page, button: string, files: string[]): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).click();
    await (await chooser).setFiles(files);
  };

  it(
    'takes several files at once, leaves out what is no archive, and lists what has become of them',
    async () => {
      const { id } = await desk.service.call<{ id: string }>('POST', `/orgs/${(await desk.org()).id}/collections`, {
        name: 'Council papers',
        slug: 'council-papers',
      });
      expect(id).toBeTruthy();
      const page = await desk.person();
      await open(page);
      await page.getByText('No uploads yet').waitFor();
      await picture(page, 'uploads-empty');
      await choose(page, 'Choose files', [
        await file('minutes.warc', aWarc('Minutes')),
        await file('letters.warc.gz', gzipSync(aWarc('Letters'))),
        await file('broken.wacz', Buffer.from('PK\u0003\u0004 this is no whole zip')),
        await file('notes.txt', Buffer.from('nothing archived')),
      ]);
      await page.getByText('notes.txt is no WACZ or WARC file').waitFor();
      await page.getByRole('heading', { name: '3 files to upload' }).waitFor();
      await page.getByLabel('Name of minutes.warc').fill('Minutes of 2026');
      await page.getByRole('combobox', { name: 'Tags' }).or(page.getByLabel('Tags')).first().fill('council');
      await page.keyboard.press('Enter');
      await page.getByLabel('Collections').first().click();
      await page.getByRole('option', { name: 'Council papers' }).click();
      await page.keyboard.press('Escape');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'uploads-chosen');
      await page.getByRole('button', { name: 'Upload 3 files' }).click();

      const list = page.getByRole('table', { name: 'Uploaded archives' });
      const row = (name: string) => list.getByRole('row').filter({ hasText: name });
      await row('Minutes of 2026').getByText('Complete').waitFor();
      await row('letters').getByText('Complete').waitFor();
      await row('broken').getByText('Failed').waitFor();
      await row('broken').getByText('It could not be read').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'uploads');

      const link = await row('Minutes of 2026').getByRole('link').getAttribute('href');
      const item = await desk.service.call<{ id: string; tags: string[]; collectionIds: string[] }>(
        'GET',
        `/orgs/${(await desk.org()).id}/uploads/${link?.split('/').at(-1) ?? ''}`,
      );
      expect(item.tags).toEqual(['council']);
      expect(item.collectionIds).toEqual([id]);

      await row('Minutes of 2026').getByRole('link').click();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Replace the file' }).click();
      await page.getByRole('heading', { name: 'Replace the file of Minutes of 2026' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'uploads-replace');
      await choose(page, 'Choose the new file', [join(folder, 'notes.txt')]);
      await page.getByText('notes.txt is no WACZ or WARC file').waitFor();
      await choose(page, 'Choose the new file', [await file('corrected.warc', aWarc('Corrected'))]);
      await page.getByRole('dialog').getByText('takes the place of what is stored').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
      await page.getByText('Uploaded', { exact: true }).last().waitFor();
      const uploads = `/orgs/${(await desk.org()).id}/uploads/${item.id}`;
      await eventually(async () => {
        const { items } = await desk.service.call<{ items: { title: string }[] }>('GET', `${uploads}/pages`);
        expect(items.map(({ title }) => title)).toEqual(['Corrected']);
      });
      await eventually(async () =>
        expect(await desk.service.call('GET', uploads)).toMatchObject({
          ...{ name: 'Minutes of 2026', tags: ['council'], collectionIds: [id], state: 'complete', fileCount: 1 },
        }),
      );

      await row('broken').getByRole('button', { name: 'Delete broken' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await row('broken').waitFor({ state: 'detached' });
      expect(desk.complaints).toEqual([]);
    },
    BOUND_MS,
  );

  /** A browser with a profile on disk, so that it can be closed and opened again. */
  const browserOf = async (profile: string): Promise<{ context: BrowserContext; page: Page }> => {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: await findChromium(),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      timeout: 120_000,
    });
    const [page = await context.newPage()] = context.pages();
    page.setDefaultTimeout(120_000);
    return { context, page };
  };

  it(
    'pauses, and goes on in another visit of the browser where it stopped',
    async () => {
      const big = await file('big.warc', aWarc('Big', 6 * MB));
      const profile = join(folder, 'profile');
      const before = await browserOf(profile);
      await before.page.goto(desk.service.baseUrl);
      await logIn(before.page, ADMIN.email, ADMIN.password);
      await before.page.getByRole('navigation').first().waitFor();
      await open(before.page);
      const cdp = await before.context.newCDPSession(before.page);
      await cdp.send('Network.enable');
      const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
      await cdp.send('Network.emulateNetworkConditions', slow);
      await choose(before.page, 'Choose files', [big]);
      await before.page.getByRole('button', { name: 'Upload 1 file' }).click();
      await before.page.getByText(/per second/).waitFor();
      const progress = before.page.getByRole('progressbar', { name: 'Progress of big' });
      await eventually(async () => expect(Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(20));
      await before.page.getByRole('button', { name: 'Pause big' }).click();
      await before.page.getByText('Paused').waitFor();
      await picture(before.page, 'uploads-paused');
      await before.context.close();

      const after = await browserOf(profile);
      await open(after.page);
      await after.page.getByRole('heading', { name: 'Interrupted uploads' }).waitFor();
      await after.page.getByText(/[1-9][\d.]* (MB|kB) of 6 MB/).waitFor();
      expect(await axeFindings(after.page)).toEqual([]);
      await picture(after.page, 'uploads-interrupted');
      const offsets: number[] = [];
      after.page.on('request', (request) => {
        const offset = request.headers()['upload-offset'];
        if (request.method() === 'PATCH' && offset !== undefined) offsets.push(Number(offset));
      });
      await choose(after.page, 'Choose the file again', [big]);
      const row = after.page
        .getByRole('table', { name: 'Uploaded archives' })
        .getByRole('row')
        .filter({ hasText: 'big' });
      await row.getByText('Complete').waitFor();
      expect(offsets[0]).toBeGreaterThan(0);
      await after.context.close();
    },
    BOUND_MS,
  );

  it(
    'goes on with a file that was to take the place of another, in its place',
    async () => {
      const { id: oid } = await desk.org();
      const first = await desk.person();
      await open(first);
      await choose(first, 'Choose files', [await file('old.warc', aWarc('Old'))]);
      await first.getByRole('button', { name: 'Upload 1 file' }).click();
      const list = first.getByRole('table', { name: 'Uploaded archives' });
      const row = list.getByRole('row').filter({ hasText: 'old' });
      await row.getByText('Complete').waitFor();
      const id = (await row.getByRole('link').getAttribute('href'))?.split('/').at(-1) ?? '';
      await first.context().close();

      const newer = await file('newer.warc', aWarc('Newer', 6 * MB));
      const profile = join(folder, 'profile-of-replacement');
      const before = await browserOf(profile);
      await before.page.goto(desk.service.baseUrl);
      await logIn(before.page, ADMIN.email, ADMIN.password);
      await before.page.getByRole('navigation').first().waitFor();
      await before.page.goto(`${desk.service.baseUrl}/o/${slug}/uploads?replace=${id}`);
      const cdp = await before.context.newCDPSession(before.page);
      await cdp.send('Network.enable');
      const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
      await cdp.send('Network.emulateNetworkConditions', slow);
      await choose(before.page, 'Choose the new file', [newer]);
      await before.page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
      const progress = before.page.getByRole('progressbar', { name: 'Progress of old' });
      await eventually(async () => expect(Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(20));
      await before.page.getByRole('button', { name: 'Pause old' }).click();
      await before.page.getByText('Paused').waitFor();
      await before.context.close();
      const pages = async (): Promise<string[]> =>
        (await desk.service.call<{ items: { title: string }[] }>('GET', `/orgs/${oid}/uploads/${id}/pages`)).items.map(
          ({ title }) => title,
        );
      expect(await pages()).toEqual(['Old']);

      const after = await browserOf(profile);
      await open(after.page);
      await after.page.getByRole('heading', { name: 'Interrupted uploads' }).waitFor();
      await choose(after.page, 'Choose the file again', [newer]);
      await eventually(async () => expect(await pages()).toEqual(['Newer']), 60_000);
      const { items } = await desk.service.call<{ items: { name: string }[] }>('GET', `/orgs/${oid}/uploads`);
      expect(items.filter(({ name }) => /old|newer/.test(name)).map(({ name }) => name)).toEqual(['old']);
      await after.context.close();
    },
    BOUND_MS,
  );
});

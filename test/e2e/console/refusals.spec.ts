import mongoose, { type Connection } from 'mongoose';
import type { Page } from 'playwright-core';
import { axeFindings, Console, logIn, picture } from '../../support/console.js';
import { response, warcinfo } from '../../support/warc.js';

const BOUND_MS = 240_000;
/** What Chromium says of answers that these tests cause. */
const CAUSED = /status of (403|401)|ERR_CONNECTION_|ERR_EMPTY_RESPONSE|ERR_FAILED|WebSocket|status of 404/;
const WORKFLOW_PAGE = /\/workflows\/[0-9a-f-]{36}$/;
const FILE = Buffer.concat([warcinfo(), response('https://example.org/', 'text/html', '<title>One</title>')]);

interface Refusal {
  readonly name: string;
  /** What an administrator does meanwhile. */
  readonly org: Readonly<Record<string, unknown>>;
  readonly sentence: string;
  readonly keepsUploads: boolean;
}
const month = new Date().toISOString().slice(0, 7);
const REFUSALS: readonly Refusal[] = [
  {
    name: 'the storage is full',
    org: { bytesStored: 10, 'quotas.storageQuota': 5 },
    sentence: 'The storage of this org is full.',
    keepsUploads: true,
  },
  {
    name: 'the minutes are used up',
    org: { 'quotas.maxExecMinutesPerMonth': 1, monthlyExecSeconds: { [month]: 120 } },
    sentence: 'The crawling minutes of this org are used up for this month.',
    keepsUploads: false,
  },
  {
    name: 'crawling is disabled for the org',
    org: { readOnly: true, readOnlyReason: 'the invoice' },
    sentence: 'This org is read-only at the moment.',
    keepsUploads: true,
  },
];
const NOTHING = {
  ...{ bytesStored: 0, 'quotas.storageQuota': 0, 'quotas.maxExecMinutesPerMonth': 0, monthlyExecSeconds: {} },
  ...{ readOnly: false, readOnlyReason: '' },
};

describe('what the API refuses', () => {
  let desk: Console;
  let org: { id: string; slug: string };
  let database: Connection;
  let people = 0;

  beforeAll(async () => {
    desk = await Console.open();
    org = await desk.org();
    const { MONGO_DB_URL: url = '', MONGO_DB_NAME: dbName = '' } = desk.service.env;
    database = await mongoose.createConnection(url, { dbName }).asPromise();
  }, BOUND_MS);
  afterAll(async () => {
    await database?.close();
    await desk?.close();
  });
  afterEach(async () => {
    await Promise.all(desk.browser.contexts().map((context) => context.close()));
    await become(NOTHING);
    expect(desk.complaints.splice(0)).toEqual([]);
  });

  /** An org reaches a quota while people work; that the service counts it is told elsewhere. */
  const become = (fields: Readonly<Record<string, unknown>>) =>
    database.collection('organizations').updateOne({ _id: new mongoose.mongo.UUID(org.id) as never }, { $set: fields });
  const at = (path: string): string => `${desk.service.baseUrl}/o/${org.slug}${path}`;
  const member = async (role: 10 | 20): Promise<{ email: string; page: Page }> => {
    const email = `member${String(++people)}@example.org`;
    const password = 'a pass phrase of theirs';
    await desk.service.call('POST', `/orgs/${org.id}/add-user`, { email, password, name: 'Mira', role });
    const page = await desk.visitor({}, CAUSED);
    await page.goto(desk.service.baseUrl);
    await logIn(page, email, password);
    await page.getByRole('navigation').first().waitFor();
    return { email, page };
  };
  /** Another page of the same person. */
  const anotherOf = async (page: Page): Promise<Page> =>
    desk.visitor({ storageState: await page.context().storageState() }, CAUSED);
  const demote = (email: string) => desk.service.call('PATCH', `/orgs/${org.id}/user-role`, { email, role: 10 });
  const stored = () =>
    desk.service.call<{ total: number; items: { id: string; name: string; crawlCount: number }[] }>(
      'GET',
      `/orgs/${org.id}/crawlconfigs?sortBy=created&sortDirection=-1`,
    );
  const chooseFile = async (page: Page): Promise<void> => {
    await page.goto(at('/uploads'));
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await chooser).setFiles([{ name: 'minutes.warc', mimeType: '', buffer: FILE }]);
    await page.getByLabel('Name of minutes.warc').fill('Minutes of 2026');
  };

  it.each(REFUSALS)(
    'is told when $name, with what is saved all the same',
    async ({ org: fields, sentence, keepsUploads }) => {
      const { page } = await member(20);
      await page.goto(at('/workflows/new'));
      await page.getByLabel('Start at these addresses').fill('https://example.org/');
      await page.getByLabel('Name', { exact: true }).fill('Refused');
      const uploads = await anotherOf(page);
      await chooseFile(uploads);
      await become(fields);

      if (fields['readOnly'] === true) {
        // The console is told of the org by itself, and offers nothing that is refused.
        await page.locator('form').getByText(sentence).waitFor();
        expect(await page.getByRole('button', { name: 'Save and run' }).isDisabled()).toBe(true);
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.waitForURL(WORKFLOW_PAGE);
      } else {
        await page.getByRole('button', { name: 'Save and run' }).click();
        await page.waitForURL(WORKFLOW_PAGE);
        await page.getByText(`The workflow is saved, but it cannot run. ${sentence}`).waitFor();
      }
      expect(await axeFindings(page)).toEqual([]);
      const { items } = await stored();
      expect(items[0]).toMatchObject({ name: 'Refused', crawlCount: 0 });

      await uploads.getByRole('button', { name: 'Upload 1 file' }).click();
      if (keepsUploads) {
        await uploads.getByRole('alert').getByText(sentence).waitFor();
        await become(NOTHING);
        await uploads.getByRole('button', { name: 'Try again: Minutes of 2026' }).click();
      }
      await uploads.getByRole('table', { name: 'Uploaded archives' }).getByText('Minutes of 2026').first().waitFor();
    },
    BOUND_MS,
  );

  it(
    'is told at a change that is to run, after which another change finds its own as it was left',
    async () => {
      const { page } = await member(20);
      const { id } = await desk.service.call<{ id: string }>('POST', `/orgs/${org.id}/crawlconfigs/`, {
        ...{ name: 'Before', config: { seeds: [{ url: 'https://example.org/' }] } },
      });
      await page.goto(at(`/workflows/${id}/edit`));
      await page.getByLabel('Name', { exact: true }).fill('After');
      await become({ bytesStored: 10, 'quotas.storageQuota': 5 });
      await page.getByRole('button', { name: 'Save and run' }).click();
      await page.waitForURL(WORKFLOW_PAGE);
      await page.getByText('The workflow is saved, but it cannot run. The storage of this org is full.').waitFor();
      await picture(page, 'workflow-saved-not-run');
      expect((await stored()).items[0]).toMatchObject({ id, name: 'After', crawlCount: 0 });
      await become(NOTHING);
    },
    BOUND_MS,
  );

  it(
    'is told to somebody whose role was lowered meanwhile, and nothing typed is lost',
    async () => {
      const { email, page } = await member(20);
      await page.goto(at('/workflows/new'));
      await page.getByLabel('Start at these addresses').fill('https://example.org/kept');
      const uploads = await anotherOf(page);
      await chooseFile(uploads);
      await demote(email);
      await page.getByRole('button', { name: 'Save and run' }).click();
      await page.getByRole('alert').getByText('Your role does not allow this.').waitFor();
      expect(await page.getByLabel('Start at these addresses').inputValue()).toBe('https://example.org/kept');
      await uploads.getByRole('button', { name: 'Upload 1 file' }).click();
      await uploads.getByRole('alert').getByText('Your role does not allow this.').waitFor();
      // As their role is now.
      await page.reload();
      await page.getByRole('heading', { name: 'Workflows are for those who may crawl' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await uploads.reload();
      await uploads.getByRole('heading', { name: 'Uploads', level: 1 }).waitFor();
      expect(await uploads.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
    },
    BOUND_MS,
  );

  it(
    'or cannot answer, since it is away, is saved when it is back',
    async () => {
      const { page } = await member(20);
      await page.goto(at('/workflows/new'));
      await page.getByLabel('Start at these addresses').fill('https://example.org/typed');
      await page.getByLabel('Name', { exact: true }).fill('Typed while it was away');
      await desk.service.kill('SIGTERM');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('alert').getByText('The service cannot be reached. Your input is kept').waitFor();
      const banner = page.getByText('The service cannot be reached. It is tried again by itself');
      await banner.waitFor();
      desk.service.spawn();
      await desk.service.ready();
      await banner.waitFor({ state: 'detached' });
      expect(await page.getByLabel('Start at these addresses').inputValue()).toBe('https://example.org/typed');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForURL(WORKFLOW_PAGE);
      expect((await stored()).items[0]).toMatchObject({ name: 'Typed while it was away' });
    },
    BOUND_MS,
  );
});

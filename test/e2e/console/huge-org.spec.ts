import mongoose, { type Connection } from 'mongoose';
import type { Page } from 'playwright-core';
import { axeFindings, Console, exported, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { ADMIN } from '../../support/start-app.js';
import { response, warcinfo } from '../../support/warc.js';

const BOUND_MS = 300_000;
const STEP_MS = 60_000;
const ITEMS = 10_000;
const WORKFLOWS = 10_000;
const COLLECTIONS = 2000;
const PAGES = 10_000;

type Stored = Record<string, unknown>;
const uuid = (): mongoose.mongo.UUID => new mongoose.mongo.UUID();

describe('an org with ten thousand of everything', () => {
  let desk: Console;
  let org: { id: string; slug: string };
  let database: Connection;
  let page: Page;
  let itemId: string;
  let collectionId: string;

  beforeAll(async () => {
    desk = await Console.open();
    org = await desk.org();
    const { MONGO_DB_URL: url = '', MONGO_DB_NAME: dbName = '' } = desk.service.env;
    database = await mongoose.createConnection(url, { dbName }).asPromise();
    await seed();
    page = await desk.person();
    page.setDefaultTimeout(STEP_MS);
  }, BOUND_MS);
  afterAll(async () => {
    await database?.close();
    await desk?.close();
  });
  afterEach(() => expect(desk.complaints.splice(0)).toEqual([]));

  /** Many documents like the only one of its kind, which the service itself made. */
  async function repeat(name: string, count: number, change: (n: number) => Stored): Promise<void> {
    const collection = database.collection(name);
    const like = await collection.findOne({ oid: new mongoose.mongo.UUID(org.id) as never });
    if (!like) throw new Error(`there is nothing in ${name}`);
    const all = Array.from({ length: count }, (_, n) => ({ ...like, ...change(n) }));
    await collection.insertMany(all as never[], { ordered: false });
  }

  async function seed(): Promise<void> {
    itemId = await uploaded();
    await desk.service.call('POST', `/orgs/${org.id}/crawlconfigs/`, {
      ...{ name: 'The first', config: { seeds: [{ url: 'https://example.org/' }] } },
    });
    ({ id: collectionId } = await desk.service.call<{ id: string }>('POST', `/orgs/${org.id}/collections`, {
      ...{ name: 'The first', crawlIds: [itemId] },
    }));
    const day = (n: number): Date => new Date(Date.UTC(2026, 0, 1) - n * 3_600_000);
    await repeat('pages', PAGES, (n) => ({
      ...{ _id: uuid(), url: `https://example.org/${String(n)}`, title: `Page ${String(n)}` },
    }));
    // The service counts an item's pages when it takes them in.
    await database.collection('crawls').updateOne({ _id: itemId as never }, { $set: { pageCount: PAGES + 1 } });
    await database.collection('collections').updateMany({}, { $set: { pageCount: PAGES + 1 } });
    await repeat('crawls', ITEMS, (n) => ({
      ...{ _id: `upload-${uuid().toString()}`, name: `Item ${String(n)}`, tags: [`tag-${String(n % 300)}`] },
      ...{ started: day(n), finished: day(n), firstSeed: `https://site${String(n % 500)}.example/` },
      ...{ state: n % 10 === 0 ? 'stopped_by_user' : 'complete', fileSize: n },
    }));
    await repeat('crawl_configs', WORKFLOWS, (n) => ({
      ...{ _id: uuid(), name: `Workflow ${String(n)}`, tags: [`tag-${String(n % 300)}`], modified: day(n) },
    }));
    await repeat('collections', COLLECTIONS, (n) => ({
      ...{ _id: uuid(), name: `Collection ${String(n)}`, slug: `collection-${String(n)}` },
    }));
  }

  async function uploaded(): Promise<string> {
    const form = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password });
    const login = await fetch(`${desk.service.baseUrl}/api/auth/jwt/login`, { method: 'POST', body: form });
    const { access_token } = (await login.json()) as { access_token: string };
    const path = `/api/orgs/${org.id}/uploads/stream?filename=one.warc&name=The+first`;
    const answer = await fetch(`${desk.service.baseUrl}${path}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/octet-stream' },
      body: new Uint8Array(Buffer.concat([warcinfo(), response('https://example.org/', 'text/html', '<title>A')])),
    });
    const { id } = (await answer.json()) as { id: string };
    await eventually(async () => {
      const { state } = await desk.service.call<{ state: string }>('GET', `/orgs/${org.id}/uploads/${id}`);
      expect(state).toBe('complete');
    }, 60_000);
    return id;
  }

  const go = (path: string) => page.goto(`${desk.service.baseUrl}/o/${org.slug}${path}`);
  const shows = async (text: string | RegExp): Promise<void> => {
    await page.getByText(text).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  };

  it(
    'has lists that are turned page by page, put in order, narrowed and exported',
    async () => {
      for (const [path, total] of [
        ['/items', '10,001'],
        ['/uploads', '10,001'],
        ['/workflows', '10,001'],
        ['/collections', '2,001'],
        [`/items/${itemId}?tab=pages`, '10,001'],
        [`/collections/${collectionId}?tab=pages`, '10,001'],
      ] as const) {
        await go(path);
        await shows(new RegExp(`^1–\\d+ of ${total}$`));
        await page.getByRole('button', { name: 'Next page' }).click();
        await shows(new RegExp(`^\\d\\d–\\d+ of ${total}$`));
        await go(`${path}${path.includes('?') ? '&' : '?'}page=100000`);
        await shows('Nothing matches these filters.');
      }
      await go('/items?page=500');
      await shows(/ of 10,001$/);
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Sort by Size' }).click();
      await shows('Item 9999');
      expect((await exported(page, 'Archived items')).trim().split('\r\n')).toHaveLength(10_002);
    },
    BOUND_MS,
  );

  it(
    'finds what is named',
    async () => {
      await go('/items');
      await page.getByRole('combobox', { name: 'Find' }).or(page.getByPlaceholder(/Find/)).first().fill('Item 7777');
      await page.getByRole('option', { name: 'Item 7777', exact: true }).click();
      await shows('1–1 of 1');
      await go('/items?state=stopped_by_user&tags=tag-0');
      await shows(/^1–\d+ of 34$/);
      await go('/workflows?name=Workflow%207777');
      await shows('1–1 of 1');
      await go('/workflows?tags=tag-7');
      await shows(/^1–\d+ of 34$/);
      await go('/collections?name=Collection%201999');
      await shows('1–1 of 1');
      await go(`/items/${itemId}?tab=pages&search=${encodeURIComponent('https://example.org/7777')}`);
      await shows('Page 7777');
      await go('');
      await eventually(async () => {
        await page.keyboard.press('ControlOrMeta+k');
        await page.getByPlaceholder('Go to a page, a workflow, a collection …').waitFor({ timeout: 2000 });
      }, 20_000);
      await page.getByPlaceholder('Go to a page, a workflow, a collection …').fill('workflow 7777');
      await page.getByRole('button', { name: /Workflow 7777/ }).click();
      await shows('1–1 of 1');
    },
    BOUND_MS,
  );

  it(
    'has a dashboard, and choices that do not list everything',
    async () => {
      await go('');
      await shows('10,001');
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'huge-dashboard');
      await go(`/collections/${collectionId}?tab=items`);
      await page.getByRole('button', { name: 'Add or remove items' }).click();
      await page.getByRole('button', { name: 'Save the choice' }).waitFor();
      await page.getByRole('dialog').getByRole('tab', { name: 'Uploads' }).click();
      await page.getByRole('dialog').getByText('1–10 of 10,001').waitFor();
      await go('/workflows/new');
      await page.getByRole('button', { name: 'Save and run' }).waitFor();
      await picture(page, 'huge-editor');
    },
    BOUND_MS,
  );
});

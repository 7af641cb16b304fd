import { DomainEvents } from '../../../src/events/domain-events.js';
import { JobStarter } from '../../../src/jobs/job-starter.js';
import type { ApiClient } from '../../support/api-client.js';
import { settled } from '../../support/archive.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { waczOf } from '../../support/zip.js';

/** More than chance would put in order. */
const MADE = 8;

/** Everything here is made in one second: the clock stands still. */
describe('lists of which no order is asked for', () => {
  let on: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let stage: CrawlStage;

  beforeAll(async () => {
    on = await startApp({ env: { ALLOW_PRIVATE_ADDRESSES: 'webhooks' } });
    api = await on.admin();
    oid = await on.defaultOrgId();
    stage = await CrawlStage.of(on);
    await api.post(`/orgs/${oid}/event-webhook-urls`, { crawlStarted: 'http://127.0.0.1:9/' });
  });
  afterAll(() => on?.close());

  const each = async <T>(make: (n: number) => Promise<T>): Promise<T[]> => {
    const made: T[] = [];
    for (let n = 0; n < MADE; n++) made.push(await make(n));
    return made;
  };
  const posted = async (path: string, body: object, field = 'id'): Promise<string> => {
    const answer = await api.post(path, body);
    expect(answer.status).toBe(200);
    return answer.body[field];
  };
  const anUpload = async (n: number): Promise<string> => {
    const raw = new Uint8Array(await waczOf([`https://site.example/${String(n)}`]));
    return (await api.put(`/orgs/${oid}/uploads/stream`, undefined, { query: { filename: 'a.wacz' }, raw })).body.id;
  };
  const aSeedFile = async (): Promise<string> => {
    const raw = new TextEncoder().encode('https://site.example/');
    return (await api.call('PUT', `/orgs/${oid}/files/seedFile`, { query: { filename: 'seeds.txt' }, raw })).body.id;
  };
  const startedFor = async (n: number): Promise<string> => {
    const itemId = `manual-20201121080000-${String(n)}`;
    const crawl = { oid, crawlId: itemId, scheduled: false };
    await on.app.get(DomainEvents, { strict: false }).publish('crawl.started', crawl);
    return itemId;
  };
  /** What the list shows of those, read in pages of three. */
  const listed = async (path: string, made: string[], shown: (row: never) => string, query = {}): Promise<string[]> => {
    const rows: string[] = [];
    for (let page = 1; page <= 20; page++) {
      const { body, status } = await api.get(path, { ...query, page, pageSize: 3 });
      expect(status).toBe(200);
      const items = body.items ?? body.collections;
      rows.push(...items.map(shown));
      if (items.length < 3) break;
    }
    return rows.filter((row) => made.includes(row));
  };
  const id = (row: { id: string }): string => row.id;
  const of = (path: string): string => `/orgs/${oid}${path}`;

  it.each<[string, (n: number) => Promise<string>, string, object?, ((row: never) => string)?]>([
    ['workflows', async () => (await stage.aWorkflow())._id, '/crawlconfigs'],
    ['crawls', () => stage.aCrawl(), '/crawls'],
    ['crawls and uploads', async (n) => (n % 2 ? stage.aCrawl() : anUpload(n)), '/all-crawls', { sortBy: '' }],
    ['uploads', anUpload, '/uploads', { sortBy: '' }],
    ['collections', (n) => posted(of('/collections'), { name: `C ${String(n)}`, access: 'public' }), '/collections'],
    ['seed files', aSeedFile, '/files', { sortBy: '' }],
    [
      'jobs',
      () => on.app.get(JobStarter, { strict: false }).start('recalculate-org-stats', { oid }),
      '/jobs',
      { jobType: 'recalculate-org-stats' },
    ],
    ['notifications', startedFor, '/webhooks', {}, (row: { body: { itemId: string } }) => row.body.itemId],
  ])('shows %s as they were made', async (_name, make, path, query = {}, shown = id) => {
    const made = await each(make);
    await settled(on);
    expect(await listed(of(path), made, shown, query)).toEqual(made);
  });

  it('shows crawls of all orgs as they were made', async () => {
    const made = await each(() => stage.aCrawl());
    expect(await listed('/orgs/all/crawls', made, id)).toEqual(made);
  });

  it('shows public collections, orgs, invites and accounts as they were made', async () => {
    await api.post(of('/public-profile'), { enablePublicProfile: true });
    const names = await each(async (n) => {
      await posted(of('/collections'), { name: `P ${String(n)}`, access: 'public' });
      return `P ${String(n)}`;
    });
    const slug = (await api.get(of(''))).body.slug;
    const name = (row: { name: string }): string => row.name;
    expect(await listed(`/public/orgs/${slug}/collections`, names, name)).toEqual(names);
    const orgs = await each((n) => posted('/orgs/create', { name: `Org ${String(n)}` }));
    expect(await listed('/orgs', orgs, id, { sortBy: '' })).toEqual(orgs);
    const emails = await each(async (n) => {
      const email = `guest-${String(n)}@example.org`;
      await api.post(of('/invite'), { email, role: 20 });
      return email;
    });
    const email = (row: { email: string }): string => row.email;
    expect(await listed(of('/invites'), emails, email)).toEqual(emails);
    expect(await listed('/users/invites', emails, email)).toEqual(emails);
    const members = await each(async (n) => {
      const address = `member-${String(n)}@example.org`;
      await api.post(of('/add-user'), { email: address, password: 'a password of theirs', name: 'M', role: 20 });
      return address;
    });
    expect(await listed('/users/emails', members, email)).toEqual(members);
  });

  it('shows the times of what was made in one second alike, and whole', async () => {
    const items = (await api.get(of('/all-crawls'), { sortBy: '' })).body.items as { started: string }[];
    const collections = (await api.get(of('/collections'))).body.items as { created: string }[];
    const times = [...items.map(({ started }) => started), ...collections.map(({ created }) => created)];
    expect(new Set(times)).toEqual(new Set(['2020-11-21T08:00:00Z']));
  });
});

import { startApp, type AppUnderTest } from '../../support/start-app.js';
import type { ApiClient } from '../../support/api-client.js';
import { OrgImport } from '../../../src/orgs/archive/org-import.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { aMember, anOrg, type Member } from '../../support/people.js';

let source: AppUnderTest;
let target: AppUnderTest;
let from: ApiClient;
let into: ApiClient;
let oid: string;
let owner: Member;
let seedFile: string;

const ITEM = 'manual-20201121054215-0f3c1d2e-abc';
const WORKFLOW = '11111111-1111-4111-8111-111111111111';
const PAGE = '22222222-2222-4222-8222-222222222222';
const COLLECTION = '33333333-3333-4333-8333-333333333333';
const PROFILE = '44444444-4444-4444-8444-444444444444';
const REVISION = '55555555-5555-4555-8555-555555555555';

beforeAll(async () => {
  [source, target] = [await startApp(), await startApp()];
  [from, into] = [await source.admin(), await target.admin()];
  oid = await anOrg(source, { name: 'Traveller', quotas: { storageQuota: 5_000_000_000 } });
  owner = await aMember(source, oid, 40);
  await from.post(`/orgs/${oid}/quotas`, { maxPagesPerCrawl: 3 });
  const put = (name: string, doc: object) => source.connection.collection(name).insertOne(doc as never);
  const [org, user] = [uuid(oid), uuid(owner.id)];
  const at = new Date('2020-11-01T10:00:00Z');
  await put('profiles', { _id: uuid(PROFILE), oid: org, name: 'P', userid: user, created: at, unknownField: 'kept' });
  await put('crawl_configs', {
    _id: uuid(WORKFLOW),
    oid: org,
    name: 'W',
    scale: 20,
    createdBy: user,
    profileid: uuid(PROFILE),
    proxyId: 'some-proxy',
    created: at,
    config: { seeds: [{ url: 'https://e.example/' }] },
  });
  await put('configs_revs', { _id: uuid(REVISION), cid: uuid(WORKFLOW), modifiedBy: user, modified: at });
  await put('crawls', {
    _id: ITEM,
    type: 'crawl',
    oid: org,
    cid: uuid(WORKFLOW),
    userid: user,
    state: 'complete',
    started: at,
    finished: at,
    fileSize: 6_000_000_000,
    collectionIds: [uuid(COLLECTION)],
    files: [
      { filename: `${oid}/a.wacz`, hash: 'h', size: 1, storage: { name: 'default', custom: null }, presignedUrl: 'x' },
    ],
  });
  await put('crawls', { _id: 'odd-one', type: 'other', oid: org });
  for (let n = 0; n < 1200; n++)
    await put('pages', {
      _id: n === 0 ? uuid(PAGE) : uuid(crypto.randomUUID()),
      oid: org,
      crawl_id: ITEM,
      url: `https://e.example/${String(n)}\n"`,
      ts: at,
    });
  await put('collections', {
    _id: uuid(COLLECTION),
    oid: org,
    name: 'Coll',
    slug: 'coll',
    access: 'private',
    created: at,
  });
  const seeds = new TextEncoder().encode('https://a.example/\nhttps://b.example/\n');
  const added = await from.put(`/orgs/${oid}/files/seedFile`, undefined, { query: { filename: 's.txt' }, raw: seeds });
  seedFile = added.body.id as string;
  await source.connection
    .collection('crawl_configs')
    .updateOne({ _id: uuid(WORKFLOW) as never }, { $set: { 'config.seedFileId': uuid(seedFile) } });
});
afterAll(async () => {
  await source.close();
  await target.close();
});

const failing = (answer: { status: number; body: { detail: unknown } }) => [answer.status, answer.body.detail];
const exported = async () => (await from.fetch('GET', `/orgs/${oid}/export/json`)).text();
const importing = (raw: string, query: Record<string, string | boolean> = {}) =>
  into.call('POST', '/orgs/import/json', { raw, query, headers: { 'content-type': 'application/octet-stream' } });
const countsOf = async (id: string) =>
  Promise.all(
    ['organizations', 'profiles', 'crawl_configs', 'crawls', 'pages', 'collections'].map((name) =>
      target.connection
        .collection(name)
        .countDocuments({ [name === 'organizations' ? '_id' : 'oid']: uuid(id) } as never),
    ),
  );

describe('an export', () => {
  it('is one JSON document in the contract’s order, a line per element', async () => {
    const response = await from.fetch('GET', `/orgs/${oid}/export/json`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const text = await response.text();
    const { data } = JSON.parse(text) as { data: Record<string, never> };
    expect(Object.keys(data)).toEqual([
      'dbVersion',
      'org',
      'profiles',
      'workflows',
      'workflowRevisions',
      'items',
      'pages',
      'collections',
      'seedFiles',
      'keptItems',
    ]);
    expect(data).toMatchObject({
      dbVersion: '0058',
      org: {
        _id: oid,
        name: 'Traveller',
        storage: { name: 'default', custom: false },
        users: { [owner.id]: 40 },
        userDetails: [{ id: owner.id, role: 40, name: owner.email, email: owner.email }],
      },
      profiles: [{ _id: PROFILE, unknownField: 'kept', created: '2020-11-01T10:00:00Z' }],
      workflowRevisions: [{ cid: WORKFLOW }],
    });
    expect(data['pages']).toHaveLength(1200);
    expect(text.trimEnd().split('\n')).toHaveLength(1200 - 1 + (2 - 1) + 1);
  });

  it('is for superusers', async () => {
    expect(failing(await owner.api.get(`/orgs/${oid}/export/json`))).toEqual([403, 'Not Allowed']);
    expect(failing(await owner.api.call('POST', '/orgs/import/json', { raw: '{}' }))).toEqual([403, 'Not Allowed']);
  });
});

describe('an import', () => {
  it.each([
    ['', 'invalid_import_data'],
    ['{"data": {"org": {}}}', 'invalid_import_data'],
    ['{"data": {"dbVersion": "0058", "org": {"_id": "no uuid"}}}', 'invalid_import_data'],
    ['{"data": {"dbVersion": "0027", "org": {}}}', 'db_version_mismatch'],
  ])('of %j is refused', async (raw, detail) => {
    expect(failing(await importing(raw))).toEqual([400, detail]);
  });

  it('that is cut off leaves nothing behind', async () => {
    const text = await exported();
    expect(failing(await importing(text.slice(0, text.length - 400)))).toEqual([400, 'invalid_import_data']);
    expect(await countsOf(oid)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(failing(await importing(text, { storageName: 'nowhere' }))).toEqual([400, 'invalid_storage_ref']);
  });

  it('whose name is taken is refused', async () => {
    const other = (await into.post('/orgs/create', { name: 'traveller' })).body.id as string;
    expect(failing(await importing(await exported()))).toEqual([400, 'duplicate_org_name']);
    expect(await countsOf(oid)).toEqual([0, 0, 0, 0, 0, 0]);
    await target.connection.collection('organizations').deleteOne({ _id: uuid(other) as never });
  });

  it('after one that a kill ended starts afresh', async () => {
    const marks = target.connection.collection<{ _id: unknown; leaseUntil: Date }>('org_imports');
    await marks.insertOne({ _id: uuid(oid), leaseUntil: new Date(target.clock.nowMs() - 1) });
    await target.connection.collection('pages').insertOne({ _id: uuid(PAGE) as never, oid: uuid(oid), url: 'half' });
    await target.app.get(OrgImport).clearDead();
    expect(await countsOf(oid)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await marks.countDocuments()).toBe(0);
  });

  it('of an org that is being imported is refused', async () => {
    const marks = target.connection.collection<{ _id: unknown; leaseUntil: Date }>('org_imports');
    await marks.insertOne({ _id: uuid(oid), leaseUntil: new Date(target.clock.nowMs() + 60_000) });
    expect(failing(await importing(await exported()))).toEqual([400, 'invalid_import_data']);
    await marks.deleteMany({});
  });

  it('brings the org with its members, figures and documents', async () => {
    expect((await importing(await exported(), { storageName: 'default' })).body).toEqual({ imported: true });
    const org = (await into.get(`/orgs/${oid}`)).body;
    expect(org).toMatchObject({ name: 'Traveller', slug: 'traveller', default: false });
    expect(org.quotaUpdates).toHaveLength(1);
    expect(org.users).toEqual({ [owner.email]: { role: 40, name: owner.email, email: owner.email } });
    const user = await target.connection.collection('users').findOne({ email: owner.email });
    expect(user?.['is_verified']).toBe(false);

    const find = (name: string, id: unknown) => target.connection.collection(name).findOne({ _id: id as never });
    const item = await find('crawls', ITEM);
    expect(item).toMatchObject({ fileSize: 6_000_000_000, started: new Date('2020-11-01T10:00:00Z') });
    expect(String(item?.['userid'])).toBe(String(user?.['id']));
    expect(String(item?.['collectionIds'][0])).toBe(COLLECTION);
    expect(item?.['files']).toEqual([
      { filename: `${oid}/a.wacz`, hash: 'h', size: 1, storage: { name: 'default', custom: false } },
    ]);
    expect(await find('profiles', uuid(PROFILE))).toMatchObject({ unknownField: 'kept' });
    expect(await find('crawl_configs', uuid(WORKFLOW))).toMatchObject({
      browserWindows: 8,
      crawlerChannel: 'default',
      proxyId: null,
    });
    expect(await find('configs_revs', uuid(REVISION))).not.toBeNull();
    expect(await countsOf(oid)).toEqual([1, 1, 1, 1, 1200, 1]);
    const files = (await into.get(`/orgs/${oid}/files`)).body.items;
    expect(files).toMatchObject([
      { id: seedFile, originalFilename: 's.txt', seedCount: 2, created: expect.anything() },
    ]);
    const workflow = (await into.get(`/orgs/${oid}/crawlconfigs/${WORKFLOW}`)).body;
    expect(workflow.config.seedFileId).toBe(files[0].id);
    expect(failing(await importing(await exported()))).toEqual([400, 'org_already_exists']);
  });

  it('of an old export takes naive times as UTC, roles as text and absent fields', async () => {
    const id = '66666666-6666-4666-8666-666666666666';
    const old = {
      data: {
        dbVersion: '0027',
        org: {
          id,
          name: 'Old One',
          slug: 'old-one',
          default: true,
          created: '2024-01-02T03:04:05',
          storage: { name: 'default', custom: null },
          users: {},
          userDetails: [
            { id: '77777777-7777-4777-8777-777777777777', role: '40', name: 'Old', email: 'old@example.com' },
            { id: '77777777-7777-4777-8777-777777777778', role: 100, name: 'Root', email: 'root@example.com' },
          ],
        },
        profiles: [],
        workflows: [],
        workflowRevisions: [],
        items: [],
        pages: [],
        collections: [{ id: '88888888-8888-4888-8888-888888888888', name: 'Without slug' }],
      },
    };
    expect((await importing(JSON.stringify(old, null, 1), { ignoreVersion: true })).body).toEqual({ imported: true });
    const org = (await into.get(`/orgs/${id}`)).body;
    expect(org).toMatchObject({ created: '2024-01-02T03:04:05Z', default: false, bytesStored: 0 });
    expect(org.users['old@example.com'].role).toBe(40);
    expect(org.users['root@example.com'].role).toBe(100);
    const collection = await target.connection.collection('collections').findOne({ name: 'Without slug' });
    expect(collection?.['slug']).toBe('without-slug');
  });
});

import { randomUUID } from 'node:crypto';
import { uuid } from '../../../src/database/uuid-codec.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { MortalApi, STEP_MS } from '../../support/mortal-api.js';
import type { TappedCommand } from '../../support/mongo-tap.js';

const PASSWORD = 'correct horse';
const KEPT_FOR_ORGS = ['crawls', 'pages', 'crawl_configs', 'profiles', 'collections', 'invites'];

let api: MortalApi;
let made = 0;
beforeAll(async () => {
  api = await MortalApi.create();
}, STEP_MS);
afterAll(() => api?.close(), STEP_MS);

const anEmail = (): string => `killed${String(++made)}@example.com`;
const is = (name: string, collection: string) => (command: TappedCommand) =>
  command.name === name && command.collection === collection;
/** The commit of the first transaction that did this. */
function commitAfter(deed: (command: TappedCommand) => boolean) {
  let session: string | null = null;
  const idOf = ({ body }: TappedCommand): string => JSON.stringify(body['lsid']);
  return (command: TappedCommand): boolean => {
    if (session === null && deed(command)) session = idOf(command);
    return command.name === 'commitTransaction' && session === idOf(command);
  };
}

async function anOrg(admin: ApiClient): Promise<string> {
  const { status, body } = await admin.post('/orgs/create', { name: `Killed ${String(++made)}` });
  expect(status).toBe(200);
  return body.id as string;
}

/** An account that belongs to an org. */
async function aMember(admin: ApiClient, oid: string): Promise<string> {
  const email = anEmail();
  const added = await admin.post(`/orgs/${oid}/add-user`, { email, password: PASSWORD, name: email, role: 40 });
  expect(added.status).toBe(200);
  return email;
}

/** One of everything that an org keeps, as documents of the reference. */
async function fill(oid: string): Promise<void> {
  const [org, cid, collection, userid] = [uuid(oid), uuid(randomUUID()), uuid(randomUUID()), uuid(randomUUID())];
  const at = new Date('2020-11-01T10:00:00Z');
  const put = (name: string, ...docs: object[]) => api.connection.collection(name).insertMany(docs as never[]);
  const itemId = `manual-20201101100000-${oid.slice(0, 8)}-abc`;
  const storage = { name: 'default', custom: false };
  await put('crawl_configs', { _id: cid, oid: org, name: 'W', created: at, modified: at, config: { seeds: [] } });
  await put('configs_revs', { _id: uuid(randomUUID()), cid, modified: at });
  await put('crawls', {
    _id: itemId,
    type: 'crawl',
    oid: org,
    cid,
    userid,
    state: 'complete',
    started: at,
    finished: at,
    files: [{ filename: `${oid}/a.wacz`, hash: 'h', size: 1, storage }],
    fileSize: 1,
    collectionIds: [collection],
  });
  await put('profiles', { _id: uuid(randomUUID()), oid: org, name: 'P', userid, created: at });
  await put('collections', { _id: collection, oid: org, name: 'C', slug: 'c', access: 'private', created: at });
  const page = (n: number) => ({
    _id: uuid(randomUUID()),
    oid: org,
    crawl_id: itemId,
    url: `https://e.example/${n}`,
    ts: at,
  });
  await put('pages', ...Array.from({ length: 1200 }, (_, n) => page(n)));
}

const countsOf = (oid: string): Promise<number[]> =>
  Promise.all(KEPT_FOR_ORGS.map((name) => api.connection.collection(name).countDocuments({ oid: uuid(oid) })));
const orgDocument = (oid: string) => api.connection.collection('organizations').findOne({ _id: uuid(oid) as never });
const userDocument = (email: string) => api.connection.collection('users').findOne({ email });

describe('the deletion of an org that is killed', () => {
  it.each([
    ['before its first step', () => api.tap.cutBefore(is('update', 'organizations'))],
    ['between items and workflows', () => api.tap.cutBefore(is('delete', 'crawl_configs'))],
    ['before the org goes', () => api.tap.cutBefore(commitAfter(is('delete', 'organizations')))],
    ['right after the org went', () => api.tap.cutBehind(commitAfter(is('delete', 'organizations')))],
  ])(
    '%s is completed by the next process',
    async (_, cut) => {
      const before = await api.admin();
      const [oid, other] = [await anOrg(before), await anOrg(before)];
      const [lonely, shared] = [await aMember(before, oid), await aMember(before, oid)];
      const { token } = (await before.post(`/orgs/${other}/invite`, { email: shared, role: 10 })).body;
      const joined = api.as(await api.login(shared, PASSWORD));
      expect((await joined.post(`/orgs/invite-accept/${token}`)).status).toBe(200);
      await before.post(`/orgs/${oid}/invite`, { email: anEmail(), role: 10 });
      await fill(oid);

      await api.killAt(cut(), before.delete(`/orgs/${oid}`));
      // Accounts, invites and the org go together, and an org that is still there is whole as an org.
      const org = await orgDocument(oid);
      expect((await userDocument(lonely)) === null).toBe(org === null);
      expect((await api.connection.collection('invites').countDocuments({ oid: uuid(oid) })) === 0).toBe(org === null);

      await api.start();
      const after = await api.admin();
      const job = await api.connection.collection('jobs').findOne({ type: 'delete-org', oid: uuid(oid) });
      await eventually(async () => {
        const { body } = await after.get(`/orgs/all/jobs/${String(job?._id)}`);
        expect(body.success).toBe(true);
      }, STEP_MS / 2);
      expect((await after.get(`/orgs/${oid}`)).status).toBe(404);
      expect(await countsOf(oid)).toEqual(KEPT_FOR_ORGS.map(() => 0));
      expect(await userDocument(lonely)).toBeNull();
      const { orgs } = (await api.as(await api.login(shared, PASSWORD)).get('/users/me')).body;
      expect(orgs.map(({ id }: { id: string }) => id)).toEqual([other]);
    },
    2 * STEP_MS,
  );
});

describe('the import of an org that is killed', () => {
  let file: string;
  let oid: string;
  const members: string[] = [];

  beforeAll(async () => {
    const admin = await api.admin();
    oid = await anOrg(admin);
    members.push(await aMember(admin, oid));
    await fill(oid);
    file = await (await admin.fetch('GET', `/orgs/${oid}/export/json`)).text();
  }, STEP_MS);

  const forget = async (): Promise<void> => {
    // Revisions know their org by their workflow only.
    const cids = await api.connection.collection('crawl_configs').distinct('_id', { oid: uuid(oid) });
    await api.connection.collection('configs_revs').deleteMany({ cid: { $in: cids } });
    for (const name of KEPT_FOR_ORGS) await api.connection.collection(name).deleteMany({ oid: uuid(oid) });
    await api.connection.collection('organizations').deleteOne({ _id: uuid(oid) as never });
    await api.connection.collection('users').deleteMany({ email: { $in: members } });
    await api.connection.collection('jobs').deleteMany({ oid: uuid(oid) });
  };
  const importing = (by: ApiClient) => by.call('POST', '/orgs/import/json', { raw: file });
  const secondInsertOf = (name: string) => {
    let seen = 0;
    return (command: TappedCommand) => is('insert', name)(command) && ++seen === 2;
  };

  it.each([
    ['between its pages', () => api.tap.cutBefore(secondInsertOf('pages'))],
    ['before the org appears', () => api.tap.cutBefore(commitAfter(is('insert', 'organizations')))],
  ])(
    '%s leaves nothing, and works when it is tried again',
    async (_, cut) => {
      await forget();
      await api.killAt(cut(), importing(await api.admin()));
      expect(await orgDocument(oid)).toBeNull();
      expect(await userDocument(members[0] ?? '')).toBeNull();
      expect((await countsOf(oid))[1]).toBeGreaterThan(0);

      await api.start();
      const admin = await api.admin();
      expect(await countsOf(oid)).toEqual(KEPT_FOR_ORGS.map(() => 0));
      expect((await importing(admin)).body).toEqual({ imported: true });
      expect(await countsOf(oid)).toEqual([1, 1200, 1, 1, 1, 0]);
      expect(Object.keys((await admin.get(`/orgs/${oid}`)).body.users)).toEqual(members);
    },
    2 * STEP_MS,
  );

  it(
    'right after the org appeared is completed by the next process',
    async () => {
      await forget();
      await api.killAt(api.tap.cutBehind(commitAfter(is('insert', 'organizations'))), importing(await api.admin()));
      expect(await orgDocument(oid)).not.toBeNull();
      await api.start();
      const admin = await api.admin();
      expect(await countsOf(oid)).toEqual([1, 1200, 1, 1, 1, 0]);
      expect(Object.keys((await admin.get(`/orgs/${oid}`)).body.users)).toEqual(members);
      // The collection's figures are counted, which the first process did not come to.
      await eventually(async () => {
        const [collection] = (await admin.get(`/orgs/${oid}/collections`)).body.items;
        expect(collection).toMatchObject({ crawlCount: 1, pageCount: 1200 });
      }, STEP_MS / 2);
      expect(await api.connection.collection('org_imports').countDocuments()).toBe(0);
      expect((await importing(admin)).body).toEqual({ detail: 'org_already_exists' });
    },
    2 * STEP_MS,
  );
});

describe('the acceptance of an invite that is killed', () => {
  const CUTS: [string, () => Promise<void>, boolean][] = [
    ['between invite and membership', () => api.tap.cutBefore(is('update', 'organizations')), false],
    ['before its commit', () => api.tap.cutBefore(commitAfter(is('delete', 'invites'))), false],
    ['right after its commit', () => api.tap.cutBehind(commitAfter(is('delete', 'invites'))), true],
  ];

  it.each(CUTS)(
    '%s has happened wholly or not at all',
    async (_, cut, happened) => {
      const admin = await api.admin();
      const [home, oid] = [await anOrg(admin), (await admin.post('/orgs/create', {})).body.id as string];
      const email = await aMember(admin, home);
      const { token } = (await admin.post(`/orgs/${oid}/invite`, { email, role: 40 })).body;
      const before = api.as(await api.login(email, PASSWORD));
      await api.killAt(cut(), before.post(`/orgs/invite-accept/${token}`));

      await api.start();
      const after = api.as(await api.login(email, PASSWORD));
      const again = await after.post(`/orgs/invite-accept/${token}`);
      expect([again.status, again.body.detail]).toEqual(happened ? [400, 'invalid_invite'] : [200, undefined]);
      const org = (await (await api.admin()).get(`/orgs/${oid}`)).body;
      expect(Object.keys(org.users)).toEqual([email]);
      // Naming the org is part of the first member's joining.
      expect(org.name).not.toBe(oid);
      expect(await api.connection.collection('invites').countDocuments({ oid: uuid(oid) })).toBe(0);
    },
    2 * STEP_MS,
  );

  it.each(CUTS)(
    '%s by a new account has made account and membership, or neither',
    async (_, cut, happened) => {
      const admin = await api.admin();
      const oid = await anOrg(admin);
      const email = anEmail();
      const { token: inviteToken } = (await admin.post(`/orgs/${oid}/invite`, { email, role: 20 })).body;
      const register = () => api.as(null).post('/auth/register', { email, password: PASSWORD, inviteToken });
      await api.killAt(cut(), register());
      expect((await userDocument(email)) !== null).toBe(happened);

      await api.start();
      expect((await register()).status).toBe(happened ? 400 : 201);
      const { orgs } = (await api.as(await api.login(email, PASSWORD)).get('/users/me')).body;
      expect(orgs).toMatchObject([{ id: oid, role: 20 }]);
      expect(await api.connection.collection('users').countDocuments({ email })).toBe(1);
    },
    2 * STEP_MS,
  );
});

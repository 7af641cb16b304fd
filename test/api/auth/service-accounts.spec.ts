import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../../support/api-client.js';
import { crawled } from '../../support/limited-keys.js';
import { aMember, anOrg, type Member } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const SCOPES = ['items:read', 'items:write', 'workflows:read', 'workflows:write', 'org:read', 'org:admin'];

interface Account {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
  readonly api: ApiClient;
}

describe('a service account', () => {
  let under: AppUnderTest;
  let oid: string;
  let owner: Member;
  let path: string;

  beforeAll(async () => {
    under = await startApp({ env: { API_KEY_REQUESTS_PER_MINUTE: '0' } });
    oid = await anOrg(under);
    owner = await aMember(under, oid, 40);
    path = `/orgs/${oid}/service-accounts`;
  });
  afterAll(() => under?.close());

  async function made(role: number, scopes = SCOPES): Promise<Account> {
    const account = await owner.api.post(path, { name: `Robot ${String(role)}`, role });
    expect(account.status).toBe(200);
    const id = account.body.id as string;
    const { body } = await owner.api.post(`${path}/${id}/api-keys`, { name: 'nightly', scopes });
    return { id, key: body.key as string, keyId: body.id as string, api: under.api.as(body.key as string) };
  }
  const workflow = { name: 'w', config: { seeds: [{ url: 'https://example.com/' }] } };
  const detailOf = async (asked: Promise<{ status: number; body: { detail?: string } }>) => {
    const { status, body } = await asked;
    return [status, body.detail];
  };

  it('is listed with its keys, changed, and deleted with them', async () => {
    const robot = await made(20);
    const listed = async () => (await owner.api.get(path)).body.items as { id: string; keys: object[] }[];
    expect((await listed()).find(({ id }) => id === robot.id)).toMatchObject({
      ...{ name: 'Robot 20', role: 20, disabled: false },
      keys: [{ id: robot.keyId, name: 'nightly', userid: robot.id, userName: 'Robot 20', oid }],
    });
    expect(JSON.stringify(await listed())).not.toContain(robot.key.split('_')[2]);
    expect((await owner.api.patch(`${path}/${robot.id}`, { name: 'Robot', role: 10 })).body).toEqual({ updated: true });
    expect((await listed()).find(({ id }) => id === robot.id)).toMatchObject({ name: 'Robot', role: 10 });
    expect((await owner.api.delete(`${path}/${robot.id}`)).body).toEqual({ success: true });
    expect(await detailOf(robot.api.get(`/orgs/${oid}`))).toEqual([401, 'invalid_credentials']);
    expect(await under.connection.collection('access_keys').countDocuments({ name: 'nightly' })).toBe(0);
    for (const answer of [
      owner.api.delete(`${path}/${robot.id}`),
      owner.api.patch(`${path}/${robot.id}`, {}),
      owner.api.post(`${path}/${robot.id}/api-keys`, { name: 'x', scopes: SCOPES }),
      owner.api.delete(`${path}/${robot.id}/api-keys/${robot.keyId}`),
    ])
      expect(await detailOf(answer)).toEqual([404, 'service_account_not_found']);
  });

  it('acts as people do, under its own name, and has no address, org or rights beside its own', async () => {
    const robot = await made(20);
    const created = await robot.api.post(`/orgs/${oid}/crawlconfigs/`, workflow);
    expect(created.status).toBe(200);
    const stored = await robot.api.get(`/orgs/${oid}/crawlconfigs/${created.body.id as string}`);
    expect(stored.body).toMatchObject({ createdBy: robot.id, createdByName: 'Robot 20' });
    const me = await robot.api.get('/users/me');
    expect(me.body).toMatchObject({
      ...{ id: robot.id, name: 'Robot 20', email: `${robot.id}@service-account.invalid`, is_superuser: false },
      orgs: [{ id: oid, role: 20 }],
    });
    const orgs = (await robot.api.get('/orgs')).body as { items: { id: string }[] };
    expect(orgs.items.map(({ id }) => id)).toEqual([oid]);
    expect(await detailOf(robot.api.get(`/orgs/${await anOrg(under)}`))).toEqual([404, 'org_not_found']);
    const members = (await owner.api.get(`/orgs/${oid}`)).body as { users: Record<string, unknown> };
    expect(Object.keys(members.users)).not.toContain(robot.id);
  });

  it('does no more than its role, which is that of the moment, and no more than its scopes', async () => {
    const robot = await made(40);
    const invites = () => detailOf(robot.api.get(`/orgs/${oid}/invites`));
    expect(await invites()).toEqual([200, undefined]);
    const other = await aMember(under, oid, 10);
    expect((await robot.api.patch(`/orgs/${oid}/user-role`, { email: other.email, role: 20 })).status).toBe(200);
    await owner.api.patch(`${path}/${robot.id}`, { role: 20 });
    expect((await invites())[0]).toBe(403);
    expect((await robot.api.post(`/orgs/${oid}/crawlconfigs/`, workflow)).status).toBe(200);
    await owner.api.patch(`${path}/${robot.id}`, { role: 10 });
    expect((await robot.api.post(`/orgs/${oid}/crawlconfigs/`, workflow)).status).toBe(403);
    const reader = await made(40, ['items:read']);
    expect(await detailOf(reader.api.get(`/orgs/${oid}/crawlconfigs`))).toEqual([403, 'api_key_scope_missing']);
    expect(await detailOf(reader.api.get(path))).toEqual([403, 'api_keys_refused']);
    const wanted = { name: 'x', scopes: ['system:admin'] };
    expect(await detailOf(owner.api.post(`${path}/${robot.id}/api-keys`, wanted))).toEqual([
      400,
      'api_key_scope_not_allowed',
    ]);
  });

  it('is disabled for a while, with the tokens that its keys got', async () => {
    const robot = await made(10);
    const form = { username: robot.keyId, password: robot.key };
    const { body } = await under.api.call('POST', '/auth/jwt/login', { form });
    const both = [robot.api, under.api.as(body.access_token as string)];
    const answers = () => Promise.all(both.map((api) => detailOf(api.get(`/orgs/${oid}`))));
    await owner.api.patch(`${path}/${robot.id}`, { disabled: true });
    const refused = [401, 'service_account_disabled'];
    expect(await answers()).toEqual([refused, refused]);
    expect((await under.api.call('POST', '/auth/jwt/login', { form })).status).toBe(401);
    // Whoever has no key of it learns nothing.
    const forged = `${robot.key.slice(0, -9)}`;
    expect(await detailOf(under.api.as(forged).get(`/orgs/${oid}`))).toEqual([401, 'invalid_credentials']);
    await owner.api.patch(`${path}/${robot.id}`, { disabled: false });
    expect(await answers()).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    expect((await owner.api.delete(`${path}/${robot.id}/api-keys/${robot.keyId}`)).status).toBe(200);
    expect((await answers()).map(([status]) => status)).toEqual([401, 401]);
  });

  it('goes on when who made it is demoted or gone, and ends with the org', async () => {
    const doomed = await anOrg(under);
    const creator = await aMember(under, doomed, 40);
    await aMember(under, doomed, 40);
    const account = await creator.api.post(`/orgs/${doomed}/service-accounts`, { name: 'r', role: 20 });
    const keys = `/orgs/${doomed}/service-accounts/${account.body.id as string}/api-keys`;
    const { body } = await creator.api.post(keys, { name: 'k', scopes: ['org:read'] });
    const api = under.api.as(body.key as string);
    const admin = await under.admin();
    await admin.patch(`/orgs/${doomed}/user-role`, { email: creator.email, role: 10 });
    expect((await creator.api.post(keys, { name: 'k', scopes: ['org:read'] })).status).toBe(403);
    expect((await api.get(`/orgs/${doomed}`)).status).toBe(200);
    await admin.post(`/orgs/${doomed}/remove`, { email: creator.email });
    expect((await api.get(`/orgs/${doomed}`)).status).toBe(200);
    await admin.delete(`/orgs/${doomed}`);
    const left = () => under.connection.collection('service_accounts').countDocuments({ name: 'r' });
    for (let n = 0; n < 100 && (await left()) > 0; n++) await new Promise((done) => setTimeout(done, 50));
    expect(await left()).toBe(0);
    expect((await api.get('/users/me')).status).toBe(401);
  });

  it('is one of fifty, has 25 keys, and no key is left by a deletion at the same time', async () => {
    const crowded = await anOrg(under);
    const admin = await under.admin();
    const accounts = `/orgs/${crowded}/service-accounts`;
    const answers = await Promise.all(Array.from({ length: 60 }, () => admin.post(accounts, { name: 'r', role: 10 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(answers.find(({ status }) => status !== 200)?.body).toEqual({ detail: 'service_account_limit_reached' });
    const { id } = answers.find(({ status }) => status === 200)?.body as { id: string };
    const key = () => admin.post(`${accounts}/${id}/api-keys`, { name: 'of many', scopes: ['org:read'] });
    const keys = await Promise.all(Array.from({ length: 30 }, key));
    expect(keys.filter(({ status }) => status === 200)).toHaveLength(25);
    await admin.delete(`${accounts}/${id}`);
    const [other] = (await admin.get(accounts)).body.items as { id: string }[];
    const more = () => admin.post(`${accounts}/${other?.id ?? ''}/api-keys`, { name: 'of many', scopes: ['org:read'] });
    const raced = await Promise.all([more(), more(), admin.delete(`${accounts}/${other?.id ?? ''}`), more(), more()]);
    expect(raced.every(({ status }) => [200, 404].includes(status))).toBe(true);
    expect(await under.connection.collection('access_keys').countDocuments({ name: 'of many' })).toBe(0);
  });

  it('is its org’s alone', async () => {
    const robot = await made(10);
    const elsewhere = await anOrg(under);
    const stranger = await aMember(under, elsewhere, 40);
    const theirs = `/orgs/${elsewhere}/service-accounts/${robot.id}`;
    for (const asked of [
      stranger.api.delete(theirs),
      stranger.api.patch(theirs, { disabled: true }),
      stranger.api.post(`${theirs}/api-keys`, { name: 'x', scopes: ['org:read'] }),
      stranger.api.delete(`${theirs}/api-keys/${robot.keyId}`),
    ])
      expect(await detailOf(asked)).toEqual([404, 'service_account_not_found']);
    expect((await robot.api.get(`/orgs/${oid}`)).status).toBe(200);
  });
});

describe('a key by HTTP Basic', () => {
  let under: AppUnderTest;
  let oid: string;
  let owner: Member;
  beforeAll(async () => {
    under = await startApp();
    oid = await anOrg(under);
    owner = await aMember(under, oid, 40);
  });
  afterAll(() => under?.close());

  const by = (name: string, password: string, path = '/wasapi/v1/webdata') => {
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    return under.api.call('GET', path, { headers: { authorization } });
  };

  it('opens WASAPI, and nothing else, with the key’s id as name', async () => {
    const made = await owner.api.post(`/orgs/${oid}/api-keys`, { name: 'k', scopes: ['items:read'] });
    const { id, key } = made.body as { id: string; key: string };
    expect(await by(id, key)).toMatchObject({ status: 200, body: { count: 0 } });
    expect((await by(id.toUpperCase().replaceAll('-', ''), key)).status).toBe(200);
    expect((await by(id, key, `/orgs/${oid}/all-crawls`)).status).toBe(401);
    const refusals = [by(randomUUID(), key), by('', key), by(owner.email, key), by(id, key.slice(0, -1)), by(id, 'x')];
    for (const refused of refusals) expect((await refused).status).toBe(401);
    const other = await owner.api.post(`/orgs/${oid}/api-keys`, { name: 'k', scopes: ['org:read'] });
    expect(await by(other.body.id as string, other.body.key as string)).toMatchObject({
      ...{ status: 403, body: { detail: 'api_key_scope_missing' } },
    });
    await owner.api.delete(`/orgs/${oid}/api-keys/${id}`);
    const revoked = await by(id, key);
    expect([revoked.status, revoked.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Basic')]);
  });
});

describe('a key that is limited', () => {
  let under: AppUnderTest;
  beforeAll(async () => {
    under = await startApp({ env: { API_KEY_REQUESTS_PER_MINUTE: '0' } });
  });
  afterAll(() => under?.close());

  it('reaches its workflows and collections with their items, and nothing beside them', async () => {
    const { oid, mine, theirs, admin } = await crawled(under);
    const all = ['items:read', 'items:write', 'crawls:run', 'workflows:read', 'collections:read', 'collections:write'];
    const make = async (only: object) => {
      const made = await admin.post(`/orgs/${oid}/api-keys`, {
        name: 'k',
        scopes: [...all, 'workflows:write'],
        ...only,
      });
      expect(made.status).toBe(200);
      return under.api.as(made.body.key as string);
    };
    const org = `/orgs/${oid}`;
    const status = async (api: ApiClient, path: string) => (await api.get(`${org}${path}`)).status;
    const byWorkflow = await make({ onlyWorkflows: [mine.cid] });
    const byCollection = await make({ onlyCollections: [mine.coll] });
    const ofItem = ({ item }: { item: string }) => [
      `/crawls/${item}`,
      `/crawls/${item}/replay.json`,
      `/all-crawls/${item}`,
      `/all-crawls/${item}/replay.json`,
      `/crawls/${item}/pages`,
    ];
    for (const api of [byWorkflow, byCollection]) {
      for (const path of ofItem(mine)) expect([path, await status(api, path)]).toEqual([path, 200]);
      for (const path of [...ofItem(theirs), ...ofItem({ item: 'manual-none' })])
        expect([path, await status(api, path)]).toEqual([path, 403]);
      for (const path of [
        '',
        '/crawls',
        '/all-crawls',
        '/crawlconfigs',
        '/collections',
        '/metrics',
        '/all-crawls/tagCounts',
      ])
        expect([path, await status(api, path)]).toEqual([path, 403]);
      expect((await api.get('/orgs')).body).toEqual({ detail: 'api_key_limited' });
      expect((await api.get('/users/me')).status).toBe(200);
    }
    const listed = async (api: ApiClient, query: string) => {
      const { body } = await api.get(`${org}/all-crawls?${query}`);
      return (body.items as { id: string }[] | undefined)?.map(({ id }) => id) ?? (body.detail as string);
    };
    expect(await listed(byWorkflow, `cid=${mine.cid}`)).toEqual([mine.item]);
    expect(await listed(byWorkflow, `cid=${mine.cid.toUpperCase()}`)).toEqual([mine.item]);
    expect(await listed(byCollection, `collectionId=${mine.coll}`)).toEqual([mine.item]);
    const refused = 'api_key_limited';
    for (const query of [
      ...[`cid=${theirs.cid}`, `cid=${mine.cid}&cid=${theirs.cid}`, `cid=${theirs.cid}&cid=${mine.cid}`, 'cid='],
      ...[`collectionId=${mine.coll}`, `cid[]=${mine.cid}`, `CID=${mine.cid}`],
    ])
      expect([query, await listed(byWorkflow, query)]).toEqual([query, refused]);
    expect(await status(byWorkflow, `/crawlconfigs/${mine.cid}`)).toBe(200);
    expect(await status(byWorkflow, `/crawlconfigs/${theirs.cid}`)).toBe(403);
    expect(await status(byCollection, `/crawlconfigs/${mine.cid}`)).toBe(403);
    expect(await status(byCollection, `/collections/${mine.coll}`)).toBe(200);
    expect(await status(byCollection, `/collections/${theirs.coll}/replay.json`)).toBe(403);
    expect(await status(byWorkflow, `/collections/${mine.coll}`)).toBe(403);
    const write = async (asked: Promise<{ status: number; body: { detail?: string } }>) => {
      const answer = await asked;
      return answer.status < 400 ? 'done' : answer.body.detail;
    };
    expect(await write(byWorkflow.post(`${org}/crawlconfigs/${mine.cid}/run`))).toBe('done');
    expect(await write(byWorkflow.post(`${org}/crawlconfigs/${theirs.cid}/run`))).toBe(refused);
    expect(await write(byWorkflow.patch(`${org}/crawlconfigs/${mine.cid}`, { name: 'x' }))).toBe(refused);
    expect(await write(byWorkflow.post(`${org}/crawlconfigs/`, { name: 'x', config: {} }))).toBe(refused);
    expect(await write(byCollection.patch(`${org}/collections/${mine.coll}`, { caption: 'x' }))).toBe('done');
    expect(await write(byCollection.post(`${org}/collections/${mine.coll}/add`, { crawlIds: [theirs.item] }))).toBe(
      refused,
    );
    expect(await write(byCollection.patch(`${org}/crawls/${mine.item}`, { collectionIds: [mine.coll] }))).toBe(refused);
    expect(await write(byCollection.post(`${org}/all-crawls/delete`, { crawl_ids: [mine.item] }))).toBe(refused);
    const personal = await admin.post('/users/me/api-keys', { name: 'k', scopes: all, onlyWorkflows: [mine.cid] });
    expect(personal.body).toEqual({ detail: 'api_key_limit_needs_org' });
  });
});

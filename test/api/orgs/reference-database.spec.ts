import { createHash } from 'node:crypto';
import bcrypt from 'bcrypt';
import { mongo } from 'mongoose';
import { uuid } from '../../../src/database/uuid-codec.js';
import type { ApiClient } from '../../support/api-client.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

/** Documents in the shapes of accounts §15.2, each with a field that only a later version would know. */
const OID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const EMPTY_OID = '6f9619ff-8b86-4d01-b42d-00cf4fc964fe';
const OWNER = '0e138ad6-b8c4-4ac4-8b8b-123456789abc';
const GUEST = '0e138ad6-b8c4-4ac4-8b8b-123456789abd';
const TOKEN = '2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e111';
const PASSWORD = 'of the reference';
const LATER = { deep: [1, { kept: true }] };

let under: AppUnderTest;
let admin: ApiClient;
let owner: ApiClient;

const at = (time: string): Date => new Date(`${time}Z`);
const put = (name: string, ...docs: object[]) => under.connection.collection(name).insertMany(docs as never[]);
const org = () => under.connection.collection('organizations').findOne({ _id: uuid(OID) as never });

async function fill(): Promise<void> {
  const hashed_password = await bcrypt.hash(PASSWORD, 4);
  const user = (id: string, email: string) => ({
    _id: new mongo.ObjectId(),
    id: uuid(id),
    email,
    name: email,
    is_superuser: false,
    is_verified: true,
    hashed_password,
    later: LATER,
  });
  await put('users', user(OWNER, 'owner@example.org'), user(GUEST, 'guest@example.org'));
  await put('organizations', {
    _id: uuid(OID),
    name: 'Of the reference',
    slug: 'of-the-reference',
    users: { [OWNER]: 40 },
    created: null,
    default: false,
    storage: { name: 'default', custom: false, later: LATER },
    storageReplicas: [],
    customStorages: {},
    bytesStored: mongo.Long.fromNumber(6_000_000_000),
    bytesStoredCrawls: mongo.Long.fromNumber(6_000_000_000),
    // The driver wrote some counters as doubles.
    bytesStoredUploads: new mongo.Double(12),
    quotas: { storageQuota: 0, maxConcurrentCrawls: 2, laterQuota: 9 },
    quotaUpdates: [
      { modified: at('2024-02-03T04:05:06'), update: { storageQuota: 0, laterQuota: 9 }, subEventId: null, later: 1 },
    ],
    webhookUrls: null,
    readOnly: false,
    readOnlyReason: null,
    subscription: {
      subId: 'sub-1',
      status: 'active',
      planId: 'basic',
      futureCancelDate: null,
      readOnlyOnCancel: false,
      later: LATER,
    },
    crawlingDefaults: null,
    usage: { '2024-01': 5 },
    publicDescription: null,
    featureFlags: { dedupeEnabled: false, laterFlag: true },
    later: LATER,
  });
  const bare = { users: {}, storage: { name: 'default', custom: false } };
  await put('organizations', { _id: uuid(EMPTY_OID), name: 'Empty', slug: 'empty', ...bare });
  const workflow = (time: string) => ({ oid: uuid(OID), name: 'W', created: at(time), config: { seeds: [] } });
  await put('crawl_configs', workflow('2023-05-06T07:08:09'), workflow('2022-03-04T05:06:07'));
  await put('invites', {
    _id: uuid('3f0f3c52-68f8-4d35-9a52-6f4a7bb1a111'),
    created: under.clock.now(),
    tokenHash: createHash('sha256').update(TOKEN).digest('hex'),
    inviterEmail: 'owner@example.org',
    fromSuperuser: false,
    oid: uuid(OID),
    role: 20,
    email: 'guest@example.org',
    userid: uuid(GUEST),
    later: LATER,
  });
  await put('logins', {
    _id: uuid('3f0f3c52-68f8-4d35-9a52-6f4a7bb1a112'),
    email: 'Locked@example.org',
    attempted: under.clock.now(),
    count: 5,
  });
  const event = { oid: uuid(OID), subId: 'sub-1', timestamp: at('2024-01-01T00:00:00') };
  await put('subscriptions', {
    ...event,
    _id: new mongo.ObjectId(),
    type: 'create',
    status: 'active',
    planId: 'basic',
    firstAdminInviteEmail: 'owner@example.org',
    quotas: { storageQuota: 1 },
    later: LATER,
  });
}

beforeAll(async () => {
  const empty = await startApp();
  under = empty;
  await fill();
  await empty.stop();
  under = await startApp({ like: empty, env: { BILLING_ENABLED: 'true', PASSWORD_HASH_COST: '12' } });
  admin = await under.admin();
  owner = await under.login('OWNER@example.org', PASSWORD);
});
afterAll(() => under.close());

describe('a database of the reference', () => {
  it('has its orgs dated by their first workflow, and undated where there is none', async () => {
    expect((await admin.get(`/orgs/${OID}`)).body.created).toBe('2022-03-04T05:06:07Z');
    expect((await admin.get(`/orgs/${EMPTY_OID}`)).body.created).toBeNull();
  });

  it('is read as the reference reads it', async () => {
    expect((await owner.get(`/orgs/${OID}`)).body).toMatchObject({
      bytesStored: 6_000_000_000,
      bytesStoredUploads: 12,
      bytesStoredProfiles: 0,
      quotas: { maxConcurrentCrawls: 2, extraExecMinutes: 0 },
      quotaUpdates: [{ modified: '2024-02-03T04:05:06Z', update: { storageQuota: 0 } }],
      webhookUrls: { crawlStarted: null },
      publicDescription: '',
      usage: { '2024-01': 5 },
      users: { 'owner@example.org': { role: 40 } },
    });
    expect((await owner.get(`/orgs/${OID}/invites`)).body.items).toMatchObject([{ email: 'guest@example.org' }]);
    expect((await admin.get('/subscriptions/events')).body.items).toMatchObject([
      { type: 'create', oid: OID, timestamp: '2024-01-01T00:00:00Z', quotas: { storageQuota: 1, extraExecMinutes: 0 } },
    ]);
    const locked = { form: { username: 'locked@EXAMPLE.org', password: PASSWORD } };
    expect((await under.api.call('POST', '/auth/jwt/login', locked)).status).toBe(429);
  });

  it('keeps what nobody here knows of a user', async () => {
    await owner.patch('/users/me', { name: 'Renamed' });
    await owner.put('/users/me/change-password', { password: PASSWORD, newPassword: 'a newer password' });
    expect(await under.connection.collection('users').findOne({ email: 'owner@example.org' })).toMatchObject({
      name: 'Renamed',
      later: LATER,
      hashed_password: expect.stringMatching(/^\$2b\$12\$/),
    });
  });

  it('keeps what nobody here knows of an org, whatever of it changes', async () => {
    const guest = await under.login('guest@example.org', PASSWORD);
    expect((await guest.post(`/orgs/invite-accept/${TOKEN}`)).status).toBe(200);
    for (const [path, body] of [
      ['rename', { name: 'Renamed' }],
      ['quotas', { storageQuota: 7 }],
      ['proxies', { allowSharedProxies: true, allowedProxies: [] }],
      ['feature-flags', { dedupeEnabled: false }],
      ['read-only', { readOnly: true }],
      ['read-only-on-cancel', { readOnlyOnCancel: true }],
      ['public-profile', { enablePublicProfile: true }],
      ['event-webhook-urls', { crawlStarted: 'https://example.org/' }],
      ['defaults/crawling', { lang: 'de' }],
      ['clear-presigned-urls', {}],
    ] as const)
      expect([path, (await admin.post(`/orgs/${OID}/${path}`, body)).status]).toEqual([path, 200]);
    await admin.patch(`/orgs/${OID}/user-role`, { email: 'guest@example.org', role: 10 });
    await admin.patch(`/orgs/${OID}/note`, { note: 'n' });
    const update = { subId: 'sub-1', status: 'trialing', planId: 'other', quotas: { maxPagesPerCrawl: 3 } };
    expect((await admin.post('/subscriptions/update', update)).status).toBe(200);
    const minutes = { oid: OID, minutes: 5, totalPrice: 1, currency: 'usd', paymentId: 'p' };
    expect((await admin.post('/subscriptions/add-minutes', minutes)).status).toBe(200);

    const stored = await org();
    expect(stored).toMatchObject({
      name: 'Renamed',
      later: LATER,
      storage: { name: 'default', custom: false, later: LATER },
      users: { [OWNER]: 40, [GUEST]: 10 },
      quotas: { storageQuota: 7, maxConcurrentCrawls: 2, maxPagesPerCrawl: 3, extraExecMinutes: 5, laterQuota: 9 },
      subscription: { status: 'trialing', planId: 'other', readOnlyOnCancel: true, later: LATER },
      featureFlags: { dedupeEnabled: false, laterFlag: true },
      usage: { '2024-01': 5 },
    });
    expect(stored?.['quotaUpdates'][0]).toMatchObject({ update: { laterQuota: 9 }, later: 1 });
    expect(stored?.['quotaUpdates']).toHaveLength(4);
  });

  it('exports it too', async () => {
    const { data } = JSON.parse(await (await admin.fetch('GET', `/orgs/${OID}/export/json`)).text()) as {
      data: { org: object };
    };
    expect(data.org).toMatchObject({ later: LATER, subscription: { later: LATER }, bytesStored: 6_000_000_000 });
  });
});

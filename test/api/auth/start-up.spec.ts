import { mongo } from 'mongoose';
import { uuid } from '../../../src/database/uuid-codec.js';
import { days } from '../../../src/common/units/durations.js';
import { OrgUsage } from '../../../src/orgs/org-usage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

let under: AppUnderTest;
beforeAll(async () => {
  under = await startApp({ env: { JWT_TOKEN_LIFETIME_MINUTES: '60' } });
});
afterAll(() => under.close());

describe('settings', () => {
  it('are exactly these, without a login', async () => {
    expect((await under.api.get('/settings')).body).toEqual({
      registrationEnabled: false,
      jwtTokenLifetime: 60,
      defaultBehaviorTimeSeconds: 300,
      defaultPageLoadTimeSeconds: 120,
      maxPagesPerCrawl: 0,
      numBrowsersPerInstance: 2,
      maxBrowserWindows: 8,
      billingEnabled: false,
      signUpUrl: '',
      salesEmail: '',
      supportEmail: '',
      localesEnabled: null,
      pausedExpiryMinutes: 10_080,
      rateLimitDurationMinutes: 720,
    });
  });
});

describe('documents of the reference', () => {
  const OID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

  it('are read with what they lack, and changed without losing what nobody knows', async () => {
    const orgs = under.connection.collection('organizations');
    await orgs.insertOne({
      _id: uuid(OID) as never,
      name: 'Old',
      slug: 'old',
      users: null,
      storage: { name: 'default', custom: false },
      bytesStored: mongo.Long.fromNumber(6_000_000_000),
      usage: null,
      quotas: { storageQuota: 5 },
      featureFlags: null,
      fromTheFuture: { kept: [1, { deep: true }] },
    });
    const admin = await under.admin();
    const org = (await admin.get(`/orgs/${OID}`)).body;
    expect(org).toMatchObject({
      created: null,
      users: {},
      bytesStored: 6_000_000_000,
      usage: {},
      storageQuotaReached: true,
      featureFlags: { dedupeEnabled: false },
      webhookUrls: { crawlStarted: null },
    });
    await admin.post(`/orgs/${OID}/feature-flags`, { dedupeEnabled: false });
    await admin.post(`/orgs/${OID}/add-user`, {
      email: 'o@example.org',
      password: 'some password',
      name: 'O',
      role: 40,
    });
    await admin.post(`/orgs/${OID}/quotas`, { giftedExecMinutes: 1 });
    const usage = under.app.get(OrgUsage);
    await usage.addSeconds(OID, { seconds: 90, isExecTime: true, isQa: false });
    await usage.addSeconds(OID, { seconds: 5, isExecTime: false, isQa: false });
    await usage.addBytes(OID, 'thumbnail', 1);
    const stored = await orgs.findOne({ _id: uuid(OID) as never }, { promoteLongs: false });
    expect(stored?.['fromTheFuture']).toMatchObject({ kept: [expect.anything(), { deep: true }] });
    expect(stored?.['bytesStored']).toBeInstanceOf(mongo.Long);
    const after = (await admin.get(`/orgs/${OID}`)).body;
    expect(after).toMatchObject({
      bytesStored: 6_000_000_001,
      bytesStoredThumbnails: 1,
      usage: { '2020-11': 5 },
      crawlExecSeconds: { '2020-11': 90 },
      giftedExecSeconds: { '2020-11': 60 },
      giftedExecSecondsAvailable: 0,
    });
    expect(after.users['o@example.org'].role).toBe(40);
  });
});

describe('usage and quotas', () => {
  it('lose nothing to each other when they change at once', async () => {
    const admin = await under.admin();
    const oid = (await admin.post('/orgs/create', { name: 'Busy', quotas: { extraExecMinutes: 100 } })).body
      .id as string;
    const usage = under.app.get(OrgUsage);
    const spending = Array.from({ length: 10 }, () =>
      usage.addSeconds(oid, { seconds: 60, isExecTime: true, isQa: false }),
    );
    const granting = Array.from({ length: 5 }, () =>
      usage.changeQuotas(oid, { extraExecMinutes: 10 }, { mode: 'add' }),
    );
    await Promise.all([...spending, ...granting]);
    expect((await admin.get(`/orgs/${oid}`)).body).toMatchObject({
      quotas: { extraExecMinutes: 150 },
      extraExecSeconds: { '2020-11': 600 },
      extraExecSecondsAvailable: 150 * 60 - 600,
      crawlExecSeconds: { '2020-11': 600 },
    });
  });

  it('remember what was stored at the last change of each month', async () => {
    const admin = await under.admin();
    const oid = (await admin.post('/orgs/create', { name: 'Growing' })).body.id as string;
    const usage = under.app.get(OrgUsage);
    const orgs = under.connection.collection('organizations');
    const months = async () => (await orgs.findOne({ _id: uuid(oid) as never }))?.['bytesStoredByMonth'];
    await Promise.all([1, 2, 3].map((n) => usage.addBytes(oid, 'crawl', 1000 * n)));
    expect(await months()).toEqual({ '2020-11': 6000 });
    under.clock.advance(days(40));
    await usage.addBytes(oid, 'upload', 500);
    await usage.addBytes(oid, 'crawl', -2000);
    expect(await months()).toEqual({ '2020-11': 6000, '2020-12': 4500 });
  });
});

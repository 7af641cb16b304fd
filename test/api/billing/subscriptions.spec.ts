import type { ApiClient } from '../../support/api-client.js';
import { aPlan as plan, BILLING_SECRET as SECRET, BilledApp } from '../../support/billed-app.js';
import { aMember, anEmail, anOrg, forgetMails, PASSWORD, sentMails } from '../../support/people.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

let billed: BilledApp;
let under: AppUnderTest;
let admin: ApiClient;
beforeAll(async () => {
  billed = await BilledApp.start();
  ({ under, admin } = billed);
});
afterAll(() => billed.close());

const failing = (answer: { status: number; body: { detail: unknown } }) => [answer.status, answer.body.detail];
const orgOf = (oid: string) => billed.orgOf(oid);
const subscribed = (fields?: Record<string, unknown>) => billed.subscribed(fields);
const withOwner = () => billed.withOwner();

describe('a new subscription', () => {
  it('makes an org named by its id, with quotas, and invites the first owner', async () => {
    const body = plan({ firstAdminInviteEmail: anEmail(), quotas: { storageQuota: 9, extraExecMinutes: 2 } });
    const created = await admin.post('/subscriptions/create', body);
    expect(created.body).toEqual({
      added: true,
      id: expect.any(String),
      invited: 'new_user',
      token: expect.any(String),
    });
    const org = await orgOf(created.body.id);
    expect(org).toMatchObject({
      name: created.body.id,
      slug: created.body.id,
      readOnly: false,
      extraExecSecondsAvailable: 120,
      subscription: {
        subId: body.subId,
        status: 'active',
        planId: 'basic',
        futureCancelDate: null,
        readOnlyOnCancel: false,
      },
    });
    expect(
      (await admin.get('/orgs')).body.items.find(({ id }: { id: string }) => id === org.id).subscription.subId,
    ).toBe(body.subId);
  });

  it('whose payment failed starts read-only', async () => {
    const { oid } = await subscribed({ status: 'paused_payment_failed' });
    expect(await orgOf(oid)).toMatchObject({ readOnly: true, readOnlyReason: 'subscriptionPaused' });
  });

  it('leaves nothing behind when it is refused', async () => {
    const { subId } = await subscribed();
    const before = (await admin.get('/orgs')).body.total;
    const again = await admin.post('/subscriptions/create', { ...plan(), subId, firstAdminInviteEmail: anEmail() });
    expect(failing(again)).toEqual([400, 'duplicate_org_subscription.subId']);
    const self = await admin.post('/subscriptions/create', { ...plan(), firstAdminInviteEmail: ADMIN.email });
    expect(failing(self)).toEqual([400, "Can't invite ourselves!"]);
    expect((await admin.get('/orgs')).body.total).toBe(before);
    expect((await admin.post('/subscriptions/create', plan({ status: 'free' }))).body.detail).toHaveLength(2);
  });

  it('is imported into an org that exists', async () => {
    const oid = await anOrg(under);
    const body = { ...plan({ status: 'paused_payment_failed' }), oid };
    expect((await admin.post('/subscriptions/import', body)).body).toEqual({ added: true, id: oid });
    expect(await orgOf(oid)).toMatchObject({ readOnly: true, subscription: { subId: body.subId } });
    const other = { ...body, oid: await anOrg(under) };
    expect(failing(await admin.post('/subscriptions/import', other))).toEqual([
      400,
      'duplicate_org_subscription.subId',
    ]);
    const unknown = { ...plan(), oid: '00000000-0000-4000-8000-000000000000' };
    expect(failing(await admin.post('/subscriptions/import', unknown))).toEqual([400, 'invalid_org_id']);
  });

  it('is activated once somebody joined', async () => {
    const { subId, oid } = await subscribed();
    const activated = async () => (await admin.get(`/subscriptions/is-activated/${subId}`)).body;
    expect(await activated()).toEqual({ success: false });
    await admin.post(`/orgs/${oid}/add-user`, { email: anEmail(), password: PASSWORD, name: 'Joiner', role: 40 });
    expect(await activated()).toEqual({ success: true });
    expect((await admin.get('/subscriptions/is-activated/none')).body).toEqual({ success: false });
  });
});

describe('an update', () => {
  it('switches read-only with the status', async () => {
    const { subId, oid } = await subscribed();
    const update = (status: string) => admin.post('/subscriptions/update', { ...plan(), subId, status });
    await update('paused_payment_failed');
    expect(await orgOf(oid)).toMatchObject({ readOnly: true, readOnlyReason: 'subscriptionPaused' });
    await update('trialing');
    expect(await orgOf(oid)).toMatchObject({ readOnly: true });
    await update('active');
    expect(await orgOf(oid)).toMatchObject({ readOnly: false, readOnlyReason: '' });
    expect(failing(await admin.post('/subscriptions/update', plan()))).toEqual([404, 'org_for_subscription_not_found']);
  });

  it('sets quotas, but not the granted minutes, and names its event in the record', async () => {
    const { subId, oid } = await subscribed({ quotas: { extraExecMinutes: 3 } });
    const quotas = { storageQuota: 77, extraExecMinutes: 500, giftedExecMinutes: 500 };
    await admin.post('/subscriptions/update', { ...plan(), subId, quotas });
    expect((await orgOf(oid)).quotas).toMatchObject({ storageQuota: 77, extraExecMinutes: 3, giftedExecMinutes: 0 });
    const stored = await under.connection.collection('organizations').findOne({ 'subscription.subId': subId });
    expect(stored?.['quotaUpdates'].at(-1).subEventId).toMatch(/^[0-9a-f]{24}$/);
  });

  it('that ends the subscription tells the owners once', async () => {
    const { subId, owner } = await withOwner();
    await forgetMails(under);
    const update = (fields: object) => admin.post('/subscriptions/update', { ...plan(), subId, ...fields });
    const futureCancelDate = '2026-12-24T10:00:00Z';
    await update({ futureCancelDate });
    await update({ futureCancelDate });
    expect(await sentMails(under)).toHaveLength(1);
    expect((await sentMails(under))[0]).toContain(`To: ${owner.email}`);
    await update({ futureCancelDate, status: 'trialing_canceled' });
    expect(await sentMails(under)).toHaveLength(2);
    await update({});
    expect(await sentMails(under)).toHaveLength(2);
    expect(
      (await admin.get(`/orgs/${(await owner.api.get('/orgs')).body.items[0].id}`)).body.subscription,
    ).toMatchObject({
      futureCancelDate: null,
    });
  });
});

describe('a cancellation', () => {
  it('starts the deletion of the org', async () => {
    const { subId, oid } = await subscribed();
    expect((await admin.post('/subscriptions/cancel', { subId })).body).toEqual({ canceled: true, deleted: true });
    const jobs = await under.connection.collection('jobs').find({ type: 'delete-org' }).toArray();
    expect(jobs.filter(({ _id }) => String(_id).includes(oid))).toHaveLength(1);
    expect(failing(await admin.post('/subscriptions/cancel', { subId }))).toEqual([
      404,
      'org_for_subscription_not_found',
    ]);
  });

  it('keeps an org that is to be read-only then', async () => {
    const { subId, oid } = await subscribed();
    await admin.post(`/orgs/${oid}/read-only-on-cancel`, { readOnlyOnCancel: true });
    expect((await orgOf(oid)).subscription.readOnlyOnCancel).toBe(true);
    expect((await admin.post('/subscriptions/cancel', { subId })).body).toEqual({ canceled: true, deleted: false });
    expect(await orgOf(oid)).toMatchObject({
      subscription: null,
      readOnly: true,
      readOnlyReason: 'subscriptionCanceled',
    });
  });

  it('can be made to delete again', async () => {
    const { oid } = await subscribed();
    for (const readOnlyOnCancel of [true, false])
      await admin.post(`/orgs/${oid}/read-only-on-cancel`, { readOnlyOnCancel });
    expect((await orgOf(oid)).subscription.readOnlyOnCancel).toBe(false);
  });
});

describe('bought minutes', () => {
  it('are added, and taken back, not below 0', async () => {
    const oid = await anOrg(under);
    const buy = (minutes: number) =>
      admin.post('/subscriptions/add-minutes', { oid, minutes, totalPrice: 1.5, currency: 'usd', paymentId: 'pay' });
    expect((await buy(10)).body).toEqual({ updated: true });
    await buy(5);
    expect(await orgOf(oid)).toMatchObject({ quotas: { extraExecMinutes: 15 }, extraExecSecondsAvailable: 900 });
    await buy(-100);
    expect(await orgOf(oid)).toMatchObject({ quotas: { extraExecMinutes: 0 }, extraExecSecondsAvailable: 0 });
    const unknown = { oid: '00000000-0000-4000-8000-000000000000', minutes: 1, totalPrice: 1, currency: 'usd' };
    expect(failing(await admin.post('/subscriptions/add-minutes', { ...unknown, paymentId: 'p' }))).toEqual([
      400,
      'invalid_org_id',
    ]);
    expect((await admin.post('/subscriptions/add-minutes', unknown)).body.detail[0].loc).toEqual(['body', 'paymentId']);
  });
});

describe('events', () => {
  it('show each call that took effect, with the fields of its type', async () => {
    const firstAdminInviteEmail = anEmail();
    const { subId, oid } = await subscribed({ firstAdminInviteEmail, quotas: { storageQuota: 1 } });
    await admin.post('/subscriptions/update', {
      ...plan(),
      subId,
      quotas: { storageQuota: 2, extraExecMinutes: null },
    });
    await admin.post('/subscriptions/update', { ...plan(), subId: 'nobody', oid });
    const minutes = { minutes: 5, totalPrice: 2.5, currency: 'eur', paymentId: 'pay-1' };
    await admin.post('/subscriptions/add-minutes', { oid, ...minutes });
    await admin.post('/subscriptions/cancel', { subId });
    const { body } = await admin.get('/subscriptions/events', { oid });
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const none = { maxExecMinutesPerMonth: 0, maxConcurrentCrawls: 0, maxPagesPerCrawl: 0 };
    const unsent = Object.fromEntries(Object.keys(none).map((key) => [key, null]));
    expect(body.items).toEqual([
      {
        type: 'create',
        oid,
        timestamp,
        subId,
        status: 'active',
        planId: 'basic',
        firstAdminInviteEmail,
        quotas: { storageQuota: 1, ...none, extraExecMinutes: 0, giftedExecMinutes: 0 },
      },
      {
        type: 'update',
        oid,
        timestamp,
        subId,
        status: 'active',
        planId: 'basic',
        futureCancelDate: null,
        quotas: { storageQuota: 2, ...unsent, extraExecMinutes: null, giftedExecMinutes: null },
      },
      { type: 'add-minutes', oid, timestamp, ...minutes },
      { type: 'cancel', oid, timestamp, subId },
    ]);
    expect(body).toMatchObject({ total: 4, page: 1, pageSize: 1000 });
  });

  it('are filtered, sorted and paged', async () => {
    const { subId } = await subscribed({ planId: 'special' });
    const list = async (query: Record<string, string | number>) =>
      (await admin.get('/subscriptions/events', query)).body;
    expect((await list({ subId })).total).toBe(1);
    expect((await list({ planId: 'special', type: 'create', status: 'active' })).total).toBe(1);
    expect((await list({ planId: 'special', type: 'cancel' })).total).toBe(0);
    const sorted = await list({ sortBy: 'subId', sortDirection: -1, type: 'create' });
    const ids = sorted.items.map((item: { subId: string }) => item.subId);
    expect(ids).toEqual([...ids].sort().reverse());
    expect((await list({ pageSize: 1, page: 2 })).items).toHaveLength(1);
    expect(failing(await admin.get('/subscriptions/events', { sortBy: 'minutes' }))).toEqual([400, 'invalid_sort_by']);
    expect(failing(await admin.get('/subscriptions/events', { sortDirection: 0 }))).toEqual([
      400,
      'invalid_sort_direction',
    ]);
    expect((await admin.get('/subscriptions/events', { type: 'other' })).status).toBe(422);
    expect((await admin.get('/subscriptions/events', { oid: 'other' })).status).toBe(422);
  });
});

describe('the reminder of a trial’s end', () => {
  it('goes to every owner', async () => {
    const { subId, owner } = await withOwner();
    const body = { subId, behavior_on_trial_end: 'read-only' };
    const remind = (fields: object = {}) =>
      admin.post('/subscriptions/send-trial-end-reminder', { ...body, ...fields });
    expect(failing(await remind())).toEqual([400, 'future_cancel_date_not_found']);
    await admin.post('/subscriptions/update', { ...plan(), subId, futureCancelDate: '2026-12-24T10:00:00Z' });
    await forgetMails(under);
    expect((await remind()).body).toEqual({ success: true });
    expect((await sentMails(under)).join()).toContain(`To: ${owner.email}`);
    expect(failing(await remind({ subId: 'none' }))).toEqual([404, 'org_for_subscription_not_found']);
    expect((await remind({ behavior_on_trial_end: 'explode' })).status).toBe(422);
    const { subId: empty } = await subscribed();
    await admin.post('/subscriptions/update', { ...plan(), subId: empty, futureCancelDate: '2026-12-24T10:00:00Z' });
    expect(failing(await remind({ subId: empty }))).toEqual([400, 'no_admin_users_found']);
  });
});

describe('access', () => {
  it('is for superusers, and for the shared secret only where the setting says so', async () => {
    const member = await aMember(under, await under.defaultOrgId(), 40);
    expect(failing(await member.api.get('/subscriptions/events'))).toEqual([403, 'not_allowed']);
    expect(failing(await under.api.get('/subscriptions/events'))).toEqual([401, 'invalid_credentials']);
    expect((await under.api.as(SECRET).get('/subscriptions/events')).status).toBe(401);
    const opened = await startApp({
      like: under,
      env: { BILLING_ENABLED: 'true', BTRIX_SUBS_APP_API_KEY: SECRET, SHARED_SECRET_SUBSCRIPTIONS: 'true' },
    });
    try {
      expect((await opened.api.as(SECRET).get('/subscriptions/events')).status).toBe(200);
      expect((await opened.api.get('/subscriptions/events', { auth_bearer: SECRET })).status).toBe(200);
      expect((await opened.api.as(SECRET).get('/orgs')).status).toBe(401);
    } finally {
      await opened.stop();
    }
  });

  it('does not exist while billing is off', async () => {
    const off = await startApp({ like: under });
    try {
      for (const [method, path] of [
        ['GET', '/subscriptions/events'],
        ['POST', '/subscriptions/create'],
        ['GET', `/orgs/${await under.defaultOrgId()}/billing-portal`],
        ['GET', `/orgs/${await under.defaultOrgId()}/price/execution-minutes`],
        ['GET', `/orgs/${await under.defaultOrgId()}/checkout/execution-minutes`],
      ] as const)
        expect(failing(await off.api.call(method, path))).toEqual([404, 'Not Found']);
    } finally {
      await off.stop();
    }
  });
});

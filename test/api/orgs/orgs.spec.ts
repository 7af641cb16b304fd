import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import type { ApiClient } from '../../support/api-client.js';
import { aMember, anOrg, type Member } from '../../support/people.js';

let under: AppUnderTest;
let admin: ApiClient;
let oid: string;
let owner: Member;
let crawler: Member;
let viewer: Member;

beforeAll(async () => {
  under = await startApp({
    env: {
      AVAILABLE_PLANS: JSON.stringify({ plans: [{ id: 'basic', name: 'Basic', org_quotas: { storageQuota: 5 } }] }),
      BTRIX_SUBS_APP_API_KEY: 'shared-secret-of-tests',
    },
  });
  admin = await under.admin();
  oid = await anOrg(under, { name: 'Acme' });
  owner = await aMember(under, oid, 40);
  crawler = await aMember(under, oid, 20);
  viewer = await aMember(under, oid, 10);
});
afterAll(() => under.close());

const orgOf = async (id: string) => (await admin.get(`/orgs/${id}`)).body;
const failing = (answer: { status: number; body: { detail: unknown } }) => [answer.status, answer.body.detail];

describe('a fresh org', () => {
  it('is returned to a superuser with every field at its default', async () => {
    const id = await under.defaultOrgId();
    const { created, ...org } = await orgOf(id);
    expect(created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(org).toEqual({
      id,
      name: 'My Organization',
      slug: 'my-organization',
      users: {},
      default: true,
      bytesStored: 0,
      bytesStoredCrawls: 0,
      bytesStoredUploads: 0,
      bytesStoredProfiles: 0,
      bytesStoredSeedFiles: 0,
      bytesStoredThumbnails: 0,
      bytesStoredDedupeIndexes: 0,
      origin: null,
      storageQuotaReached: false,
      execMinutesQuotaReached: false,
      usage: {},
      crawlExecSeconds: {},
      qaUsage: {},
      qaCrawlExecSeconds: {},
      monthlyExecSeconds: {},
      extraExecSeconds: {},
      giftedExecSeconds: {},
      extraExecSecondsAvailable: 0,
      giftedExecSecondsAvailable: 0,
      quotas: {
        storageQuota: 0,
        maxExecMinutesPerMonth: 0,
        maxConcurrentCrawls: 0,
        maxPagesPerCrawl: 0,
        extraExecMinutes: 0,
        giftedExecMinutes: 0,
      },
      quotaUpdates: [],
      webhookUrls: {
        crawlStarted: null,
        crawlFinished: null,
        crawlDeleted: null,
        qaAnalysisStarted: null,
        qaAnalysisFinished: null,
        crawlReviewed: null,
        uploadFinished: null,
        uploadDeleted: null,
        addedToCollection: null,
        removedFromCollection: null,
        collectionDeleted: null,
      },
      readOnly: false,
      readOnlyReason: null,
      subscription: null,
      allowSharedProxies: false,
      allowedProxies: [],
      crawlingDefaults: null,
      lastCrawlFinished: null,
      enablePublicProfile: false,
      publicDescription: '',
      publicUrl: '',
      featureFlags: { dedupeEnabled: false },
      note: null,
    });
  });
});

describe('creating an org', () => {
  it.each([
    [{ name: '' }, 422],
    [{ name: 'x'.repeat(51) }, 422],
    [{ name: 'Slugged', slug: 'no spaces' }, 'invalid_slug'],
    [{ name: 'acmé' }, 'duplicate_org_name'],
    [{ name: 'Other', slug: 'ACME' }, 'duplicate_org_slug'],
    [{ name: 'Planned', planId: 'none' }, 'invalid_plan'],
    [{ name: 'Planned', planId: 'basic', quotas: {} }, 'invalid_request_use_either_plan_or_quotas'],
  ])('refuses %j', async (body, expected) => {
    const answer = await admin.post('/orgs/create', body);
    if (expected === 422) expect(answer.status).toBe(422);
    else expect(failing(answer)).toEqual([400, expected]);
  });

  it('without a name takes the id for name and slug', async () => {
    const { body } = await admin.post('/orgs/create', {});
    expect(body).toEqual({ added: true, id: expect.any(String) });
    expect(await orgOf(body.id)).toMatchObject({ name: body.id, slug: body.id });
  });

  it('takes quotas and note of a plan', async () => {
    const { body } = await admin.post('/orgs/create', { name: 'On a plan', planId: 'basic', note: 'Hi' });
    const org = await orgOf(body.id);
    expect(org.quotas).toMatchObject({ storageQuota: 5, maxExecMinutesPerMonth: 0 });
    expect(org.note).toBe('Hi\n\nPlan ID: basic (name: Basic)');
  });

  it('makes granted minutes available', async () => {
    const { body } = await admin.post('/orgs/create', {
      name: 'Minutes',
      quotas: { extraExecMinutes: 2, giftedExecMinutes: 3 },
    });
    expect(await orgOf(body.id)).toMatchObject({ extraExecSecondsAvailable: 120, giftedExecSecondsAvailable: 180 });
  });

  it('of two with one slug at once lets one win', async () => {
    const answers = await Promise.all(
      ['Twin A', 'Twin B'].map((name) => admin.post('/orgs/create', { name, slug: 'twin' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.detail).toBe('duplicate_org_slug');
  });

  it('is open to the shared secret, which opens nothing else', async () => {
    const automation = under.api.as('shared-secret-of-tests');
    expect((await automation.post('/orgs/create', { name: 'By secret' })).status).toBe(200);
    expect(failing(await automation.get('/orgs'))).toEqual([401, 'invalid_credentials']);
    expect(failing(await automation.get('/users/me'))).toEqual([401, 'invalid_credentials']);
    expect(failing(await under.api.as('shared-secret-of-test').post('/orgs/create', { name: 'x' }))).toEqual([
      401,
      'invalid_credentials',
    ]);
    expect(failing(await owner.api.post('/orgs/create', { name: 'x' }))).toEqual([403, 'Not Allowed']);
  });

  it('invites the first owner', async () => {
    const { body } = await admin.post('/orgs/create', { name: 'Led', firstAdminInviteEmail: 'first@example.com' });
    expect(body).toMatchObject({ added: true, invited: 'new_user', token: expect.any(String) });
    const invite = await under.api.get(`/users/invite/${body.token}`, { email: 'first@example.com' });
    expect(invite.body).toMatchObject({ role: 40, orgName: 'Led', firstOrgAdmin: true, fromSuperuser: true });
    expect(invite.body.inviterEmail).toBeNull();
  });

  it('leaves no org behind when the invite is refused', async () => {
    const refused = await admin.post('/orgs/create', { name: 'Orphan', firstAdminInviteEmail: ADMIN.email });
    expect(failing(refused)).toEqual([400, "Can't invite ourselves!"]);
    expect((await admin.post('/orgs/create', { name: 'Orphan' })).status).toBe(200);
  });
});

describe('what a caller sees of an org', () => {
  it('depends on the role', async () => {
    await admin.patch(`/orgs/${oid}/note`, { note: 'secret note' });
    const [asOwner, asViewer] = [await owner.api.get(`/orgs/${oid}`), await viewer.api.get(`/orgs/${oid}`)];
    expect(Object.keys(asOwner.body.users).sort()).toEqual([owner.email, crawler.email, viewer.email].sort());
    expect(asOwner.body.users[owner.email]).toEqual({ role: 40, name: owner.email, email: owner.email });
    expect(asOwner.body.note).toBe('secret note');
    expect(asViewer.body).toMatchObject({ users: {}, note: null, usage: {}, crawlExecSeconds: {} });
    expect(JSON.stringify(asOwner.body)).not.toMatch(/customStorages|storageReplicas|hashed_password/);
  });

  it('of a foreign or unknown org is nothing', async () => {
    const other = await anOrg(under);
    for (const id of [other, '00000000-0000-4000-8000-000000000000'])
      expect(failing(await owner.api.get(`/orgs/${id}`))).toEqual([404, 'org_not_found']);
    const malformed = await owner.api.get('/orgs/not-a-uuid');
    expect(malformed.status).toBe(422);
    expect(malformed.body.detail[0].loc).toEqual(['path', 'oid']);
    expect((await under.api.get('/orgs/not-a-uuid')).status).toBe(401);
  });

  it('lists own orgs only, and all of them to a superuser', async () => {
    const own = await owner.api.get('/orgs');
    expect(own.body.items.map(({ id }: { id: string }) => id)).toEqual([oid]);
    expect(own.body).toMatchObject({ total: 1, page: 1, pageSize: 1000 });
    const all = await admin.get('/orgs');
    expect(all.body.total).toBeGreaterThan(3);
    expect(all.body.items[0].default).toBe(true);
    const names = all.body.items.slice(1).map(({ name }: { name: string }) => name.toLowerCase());
    expect(names).toEqual([...names].sort());
  });

  it.each(['name', 'slug', 'readOnly', 'lastCrawlFinished', 'subscriptionStatus', 'subscriptionPlan', ''])(
    'is sorted by "%s" on demand',
    async (sortBy) => expect((await admin.get('/orgs', { sortBy, sortDirection: -1 })).status).toBe(200),
  );

  it('refuses other sorts and pages', async () => {
    expect(failing(await admin.get('/orgs', { sortBy: 'bytesStored' }))).toEqual([400, 'invalid_sort_by']);
    expect(failing(await admin.get('/orgs', { sortDirection: 2 }))).toEqual([400, 'invalid_sort_direction']);
    expect((await admin.get('/orgs', { page: 0 })).status).toBe(422);
    expect((await admin.get('/orgs', { pageSize: 'many' })).status).toBe(422);
  });
});

describe('renaming', () => {
  it('makes the slug from the name unless one is given', async () => {
    const id = await anOrg(under);
    await admin.post(`/orgs/${id}/rename`, { name: 'Fresh Name' });
    expect(await orgOf(id)).toMatchObject({ name: 'Fresh Name', slug: 'fresh-name' });
    await admin.post(`/orgs/${id}/rename`, { name: 'Fresh Name', slug: 'Own_Slug' });
    expect(await orgOf(id)).toMatchObject({ slug: 'Own_Slug' });
    await admin.post(`/orgs/${id}/rename`, { name: '***' });
    expect(await orgOf(id)).toMatchObject({ slug: id });
    expect(failing(await admin.post(`/orgs/${id}/rename`, { name: 'ACME' }))).toEqual([400, 'duplicate_org_name']);
    expect(failing(await admin.post(`/orgs/${id}/rename`, { name: 'x', slug: 'acme' }))).toEqual([
      400,
      'duplicate_org_slug',
    ]);
    expect(failing(await admin.post(`/orgs/${id}/rename`, { name: 'x', slug: 'a b' }))).toEqual([400, 'invalid_slug']);
    expect(failing(await crawler.api.post(`/orgs/${oid}/rename`, { name: 'x' }))).toEqual([
      403,
      'User does not have permission to perform this action',
    ]);
  });
});

describe('settings of an org', () => {
  it('set quotas one by one and keep the record', async () => {
    const id = await anOrg(under);
    await admin.post(`/orgs/${id}/quotas`, { storageQuota: 10, extraExecMinutes: 10 });
    await admin.post(`/orgs/${id}/quotas`, { extraExecMinutes: 4, storageQuota: null });
    await admin.post(`/orgs/${id}/quotas`, {});
    const org = await orgOf(id);
    expect(org.quotas).toMatchObject({ storageQuota: 10, extraExecMinutes: 4 });
    expect(org.extraExecSecondsAvailable).toBe(240);
    expect(org.quotaUpdates.map(({ update }: { update: object }) => update)).toEqual([
      expect.objectContaining({ storageQuota: 10, extraExecMinutes: 10 }),
      expect.objectContaining({ storageQuota: 0, extraExecMinutes: 4 }),
      expect.objectContaining({ storageQuota: 0, extraExecMinutes: 0 }),
    ]);
    expect(Object.keys(org.quotaUpdates[0]).sort()).toEqual(['modified', 'update']);
    expect((await admin.post(`/orgs/${id}/quotas`, { storageQuota: 2 ** 53 })).status).toBe(422);
    expect((await admin.post(`/orgs/${id}/quotas`, { storageQuota: 1.5 })).status).toBe(422);
    expect(failing(await owner.api.post(`/orgs/${oid}/quotas`, {}))).toEqual([403, 'Not Allowed']);
  });

  it('switch read-only with and without a reason', async () => {
    const id = await anOrg(under);
    await admin.post(`/orgs/${id}/read-only`, { readOnly: true, readOnlyReason: 'unpaid' });
    expect(await orgOf(id)).toMatchObject({ readOnly: true, readOnlyReason: 'unpaid' });
    await admin.post(`/orgs/${id}/read-only`, { readOnly: true });
    expect(await orgOf(id)).toMatchObject({ readOnly: true, readOnlyReason: null });
    await admin.post(`/orgs/${id}/read-only`, { readOnly: false, readOnlyReason: 'ignored' });
    expect(await orgOf(id)).toMatchObject({ readOnly: false, readOnlyReason: '' });
    expect((await admin.post(`/orgs/${id}/read-only`, {})).status).toBe(422);
    expect((await admin.post(`/orgs/${id}/read-only-on-cancel`, { readOnlyOnCancel: true })).body).toEqual({
      updated: true,
    });
    expect((await orgOf(id)).subscription).toBeNull();
  });

  it('take proxies and forget a suggested one that is not usable', async () => {
    const id = await anOrg(under);
    await admin.post(`/orgs/${id}/defaults/crawling`, { proxyId: 'gone', lang: 'de' });
    await admin.post(`/orgs/${id}/proxies`, { allowSharedProxies: true, allowedProxies: ['any'] });
    const org = await orgOf(id);
    expect(org).toMatchObject({ allowSharedProxies: true, allowedProxies: ['any'] });
    expect(org.crawlingDefaults).toMatchObject({ proxyId: null, lang: 'de' });
    expect((await admin.post(`/orgs/${id}/proxies`, { allowSharedProxies: true })).status).toBe(422);
  });

  it('replace all crawling defaults', async () => {
    const id = await anOrg(under);
    const dedupeCollId = '3f0f3c52-68f8-4d35-9a52-6f4a7bb1a111';
    await admin.post(`/orgs/${id}/defaults/crawling`, { blockAds: true, exclude: ['a'], dedupeCollId });
    expect((await orgOf(id)).crawlingDefaults).toEqual({
      crawlTimeout: null,
      maxCrawlSize: null,
      pageLoadTimeout: null,
      postLoadDelay: null,
      behaviorTimeout: null,
      pageExtraDelay: null,
      blockAds: true,
      profileid: null,
      crawlerChannel: null,
      proxyId: null,
      lang: null,
      userAgent: null,
      exclude: ['a'],
      customBehaviors: [],
      dedupeCollId,
    });
    await admin.post(`/orgs/${id}/defaults/crawling`, {});
    expect((await orgOf(id)).crawlingDefaults).toMatchObject({ blockAds: null, exclude: null });
    expect(failing(await admin.post(`/orgs/${id}/defaults/crawling`, { lang: 'EN' }))).toEqual([400, 'invalid_lang']);
    expect((await admin.post(`/orgs/${id}/defaults/crawling`, { profileid: '' })).status).toBe(422);
  });

  it('take webhook URLs as a whole, with the base URL of the request', async () => {
    const id = await anOrg(under);
    await admin.post(`/orgs/${id}/event-webhook-urls`, { crawlStarted: 'https://hooks.example.com' });
    await admin.post(
      `/orgs/${id}/event-webhook-urls`,
      { crawlFinished: 'https://HOOKS.example.com/x', uploadDeleted: null },
      { headers: { 'x-forwarded-proto': 'https' } },
    );
    const org = await orgOf(id);
    expect(org.webhookUrls).toMatchObject({ crawlStarted: null, crawlFinished: 'https://hooks.example.com/x' });
    expect(org.origin).toBe(under.baseUrl.replace('http:', 'https:').replace(/\/$/, ''));
    const bad = await admin.post(`/orgs/${id}/event-webhook-urls`, { crawlFinished: 'ftp://x.example.com/' });
    expect(bad.body.detail[0]).toMatchObject({ type: 'url_scheme', loc: ['body', 'crawlFinished'] });
  });

  it('write only what was sent of the public profile', async () => {
    const id = await anOrg(under);
    await admin.post(`/orgs/${id}/public-profile`, { enablePublicProfile: true, publicDescription: 'About' });
    await admin.post(`/orgs/${id}/public-profile`, { enablePublicProfile: null, publicUrl: 'https://x.example' });
    expect(await orgOf(id)).toMatchObject({
      enablePublicProfile: true,
      publicDescription: 'About',
      publicUrl: 'https://x.example',
    });
    await admin.post(`/orgs/${id}/public-profile`, { publicDescription: null });
    expect(await orgOf(id)).toMatchObject({ publicDescription: '' });
    for (const body of [{}, { enablePublicProfile: null }])
      expect(failing(await admin.post(`/orgs/${id}/public-profile`, body))).toEqual([400, 'no_update_data']);
    expect((await admin.post(`/orgs/${id}/public-profile`, { publicDescription: 'x'.repeat(401) })).status).toBe(422);
  });

  it('switch features on and off, and count the orgs that have them', async () => {
    const id = await anOrg(under);
    const set = (dedupeEnabled: boolean | null) => admin.post(`/orgs/${id}/feature-flags`, { dedupeEnabled, other: 1 });
    const flags = async () => (await admin.get('/orgs/feature-flags')).body;
    expect((await orgOf(id)).featureFlags).toEqual({ dedupeEnabled: false });
    expect(await flags()).toMatchObject([{ name: 'dedupeEnabled', count: 0 }]);
    for (const value of [true, null]) expect((await set(value)).status).toBe(200);
    expect((await orgOf(id)).featureFlags).toEqual({ dedupeEnabled: true });
    expect(await flags()).toEqual([{ name: 'dedupeEnabled', description: expect.stringMatching(/./), count: 1 }]);
    expect((await set(false)).status).toBe(200);
    expect((await orgOf(id)).featureFlags).toEqual({ dedupeEnabled: false });
  });
});

describe('lists for superusers', () => {
  it('are plans, slugs and their look-up', async () => {
    expect((await admin.get('/orgs/plans')).body.plans).toEqual([
      {
        id: 'basic',
        name: 'Basic',
        testmode: false,
        org_quotas: {
          storageQuota: 5,
          maxExecMinutesPerMonth: 0,
          maxConcurrentCrawls: 0,
          maxPagesPerCrawl: 0,
          extraExecMinutes: 0,
          giftedExecMinutes: 0,
        },
      },
    ]);
    expect((await admin.get('/orgs/slugs')).body.slugs).toContain('acme');
    expect((await admin.get('/orgs/slug-lookup')).body[oid]).toBe('acme');
    expect((await admin.post('/orgs/clear-presigned-urls')).body).toEqual({ success: true });
  });

  it.each([
    ['GET', '/orgs/plans'],
    ['GET', '/orgs/slugs'],
    ['GET', '/orgs/slug-lookup'],
    ['GET', '/orgs/feature-flags'],
    ['POST', '/orgs/clear-presigned-urls'],
  ])('%s %s is refused to others', async (method, path) => {
    expect(failing(await owner.api.call(method, path))).toEqual([403, 'Not Allowed']);
  });
});

describe('metrics and storages', () => {
  it('are counted from what the org has', async () => {
    const { body } = await viewer.api.get(`/orgs/${oid}/metrics`);
    const { storageUsedByMonth, ...counts } = body;
    expect(Object.values(counts).every((value) => value === 0)).toBe(true);
    expect(Object.keys(counts)).toHaveLength(22);
    expect(storageUsedByMonth).toEqual({});
  });

  it('name the storages to owners', async () => {
    expect((await owner.api.get(`/orgs/${oid}/storage`)).body).toEqual({
      storage: { name: 'default', custom: false },
      storageReplicas: [],
    });
    expect((await owner.api.get(`/orgs/${oid}/allStorages`)).body).toEqual([{ name: 'default', custom: false }]);
    expect((await owner.api.post(`/orgs/${oid}/clear-presigned-urls`)).body).toEqual({ success: true });
    expect((await crawler.api.get(`/orgs/${oid}/storage`)).status).toBe(403);
  });
});

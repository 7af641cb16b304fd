import { startApp, type AppUnderTest } from '../../support/start-app.js';
import type { ApiClient } from '../../support/api-client.js';
import { aMember, anOrg, type Member } from '../../support/people.js';

const NO_PERMISSION = 'User does not have permission to perform this action';
let under: AppUnderTest;
let admin: ApiClient;
let oid: string;
let owner: Member;
let viewer: Member;

beforeAll(async () => {
  under = await startApp({ env: { BILLING_ENABLED: 'true' } });
  admin = await under.admin();
  oid = await anOrg(under);
  owner = await aMember(under, oid, 40);
  viewer = await aMember(under, oid, 10);
});
afterAll(() => under.close());

const failing = (answer: { status: number; body: { detail: unknown } }) => [answer.status, answer.body.detail];
const minutes = (fields: object) => ({
  oid,
  minutes: 1,
  totalPrice: 1,
  currency: 'usd',
  paymentId: 'p',
  ...fields,
});
const subscription = (fields: object) => ({ subId: 's', status: 'active', planId: 'p', ...fields });

/** Accounts §1.5, row by row: what is sent, and the whole entry that is answered. */
const ENTRIES: readonly (readonly [path: string, body: unknown, entry: Record<string, unknown>])[] = [
  [
    'rename',
    {},
    // The input of a missing field is the object that lacks it.
    { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: {} },
  ],
  [
    'rename',
    ['x'],
    {
      type: 'model_attributes_type',
      loc: ['body'],
      msg: 'Input should be a valid dictionary or object to extract fields from',
      input: ['x'],
    },
  ],
  [
    'rename',
    { name: 5 },
    { type: 'string_type', loc: ['body', 'name'], msg: 'Input should be a valid string', input: 5 },
  ],
  [
    'rename',
    { name: '' },
    {
      type: 'string_too_short',
      loc: ['body', 'name'],
      msg: 'String should have at least 1 character',
      input: '',
      ctx: { min_length: 1 },
    },
  ],
  [
    'rename',
    { name: 'x'.repeat(51) },
    {
      type: 'string_too_long',
      loc: ['body', 'name'],
      msg: 'String should have at most 50 characters',
      input: 'x'.repeat(51),
      ctx: { max_length: 50 },
    },
  ],
  [
    'quotas',
    { storageQuota: [] },
    { type: 'int_type', loc: ['body', 'storageQuota'], msg: 'Input should be a valid integer', input: [] },
  ],
  [
    'quotas',
    { storageQuota: '1e3' },
    {
      type: 'int_parsing',
      loc: ['body', 'storageQuota'],
      msg: 'Input should be a valid integer, unable to parse string as an integer',
      input: '1e3',
    },
  ],
  [
    'quotas',
    { storageQuota: 1.5 },
    {
      type: 'int_from_float',
      loc: ['body', 'storageQuota'],
      msg: 'Input should be a valid integer, got a number with a fractional part',
      input: 1.5,
    },
  ],
  [
    'read-only',
    { readOnly: null },
    { type: 'bool_type', loc: ['body', 'readOnly'], msg: 'Input should be a valid boolean', input: null },
  ],
  [
    'read-only',
    { readOnly: 'maybe' },
    {
      type: 'bool_parsing',
      loc: ['body', 'readOnly'],
      msg: 'Input should be a valid boolean, unable to interpret input',
      input: 'maybe',
    },
  ],
  [
    'defaults/crawling',
    { profileid: 'x' },
    {
      type: 'uuid_parsing',
      loc: ['body', 'profileid'],
      msg: expect.stringMatching(/^Input should be a valid UUID, /),
      input: 'x',
      ctx: { error: expect.stringMatching(/./) },
    },
  ],
  [
    'invite',
    { email: 'a@example.com', role: 15 },
    {
      type: 'enum',
      loc: ['body', 'role'],
      msg: 'Input should be 10, 20, 40 or 100',
      input: 15,
      ctx: { expected: '10, 20, 40 or 100' },
    },
  ],
  [
    'event-webhook-urls',
    { crawlStarted: 'nonsense' },
    {
      type: 'url_parsing',
      loc: ['body', 'crawlStarted'],
      msg: expect.stringMatching(/^Input should be a valid URL, /),
      input: 'nonsense',
      ctx: { error: expect.stringMatching(/./) },
    },
  ],
  [
    'event-webhook-urls',
    { crawlStarted: 'ftp://example.com/' },
    {
      type: 'url_scheme',
      loc: ['body', 'crawlStarted'],
      msg: "URL scheme should be 'http' or 'https'",
      input: 'ftp://example.com/',
      ctx: { expected_schemes: "'http' or 'https'" },
    },
  ],
  [
    'invite',
    { email: 'nobody', role: 10 },
    {
      type: 'value_error',
      loc: ['body', 'email'],
      msg: expect.stringMatching(/^value is not a valid email address: /),
      input: 'nobody',
      ctx: { reason: expect.stringMatching(/./) },
    },
  ],
  [
    '/subscriptions/update',
    subscription({ futureCancelDate: 'soon' }),
    {
      type: 'datetime_from_date_parsing',
      loc: ['body', 'futureCancelDate'],
      msg: expect.stringMatching(/^Input should be a valid datetime or date, /),
      input: 'soon',
      ctx: { error: expect.stringMatching(/./) },
    },
  ],
  [
    '/subscriptions/send-trial-end-reminder',
    { subId: 's', behavior_on_trial_end: 'explode' },
    {
      type: 'literal_error',
      loc: ['body', 'behavior_on_trial_end'],
      msg: "Input should be 'cancel', 'continue' or 'read-only'",
      input: 'explode',
      ctx: { expected: "'cancel', 'continue' or 'read-only'" },
    },
  ],
];

describe('a body that is not of the declared shape', () => {
  it.each(ENTRIES)('of %s, %j, is answered with its entry', async (path, body, entry) => {
    const answer = await admin.post(path.startsWith('/') ? path : `/orgs/${oid}/${path}`, body);
    expect(failing(answer)).toEqual([422, [entry]]);
  });

  it('that is a form has its missing fields named, without an input', async () => {
    const answer = await under.api.call('POST', '/auth/jwt/login', { form: { grant_type: 'code' } });
    const missing = (name: string) => ({
      type: 'missing',
      loc: ['body', name],
      msg: 'Field required',
      input: null,
    });
    const pattern = {
      type: 'string_pattern_mismatch',
      loc: ['body', 'grant_type'],
      msg: "String should match pattern '^password$'",
      input: 'code',
      ctx: { pattern: '^password$' },
    };
    const byPlace = (a: { loc: string[] }, b: { loc: string[] }) => (a.loc.join() < b.loc.join() ? -1 : 1);
    expect(answer.body.detail.sort(byPlace)).toEqual([pattern, missing('password'), missing('username')]);
  });

  it.each(['verify', 'forgot-password', 'request-verify-token'])('of %s has no input either', async (path) => {
    const answer = await under.api.post(`/auth/${path}`, {});
    expect(answer.body.detail).toMatchObject([{ type: 'missing', msg: 'Field required', input: null }]);
  });

  it('of a missing query has no input', async () => {
    const answer = await under.api.get(`/users/invite/${oid}`);
    expect(failing(answer)).toEqual([
      422,
      [{ type: 'missing', loc: ['query', 'email'], msg: 'Field required', input: null }],
    ]);
  });

  it('that is no JSON is refused before anything else, even without a token', async () => {
    const raw = '{"name": }';
    const headers = { 'content-type': 'application/json' };
    for (const by of [under.api, admin]) {
      const answer = await by.call('POST', '/orgs/not-a-uuid/rename', { raw, headers });
      expect(failing(answer)).toEqual([
        422,
        [
          {
            type: 'json_invalid',
            loc: ['body', expect.any(Number)],
            msg: 'JSON decode error',
            input: {},
            ctx: { error: expect.stringMatching(/./) },
          },
        ],
      ]);
    }
  });

  it('is refused for a type that is no JSON, and read as JSON for any that is', async () => {
    const raw = JSON.stringify({ email: viewer.email });
    const send = (type: string | null) =>
      under.api.call('POST', '/auth/forgot-password', {
        raw: type === null ? Buffer.from(raw) : raw,
        ...(type === null ? {} : { headers: { 'content-type': type } }),
      });
    for (const type of ['application/json; charset=utf-8', 'application/vnd.api+json', null])
      expect((await send(type)).status).toBe(202);
    const refused = await send('text/plain');
    expect(refused.status).toBe(422);
    expect(refused.body.detail[0]).toMatchObject({ type: 'model_attributes_type', loc: ['body'] });
  });
});

describe('values that mean the same', () => {
  const quotas = async (id: string) => (await admin.get(`/orgs/${id}`)).body.quotas;

  it.each([[5], [5.0], ['5'], [' 5 '], ['5.0']])('number %j is 5', async (storageQuota) => {
    const id = await anOrg(under);
    expect((await admin.post(`/orgs/${id}/quotas`, { storageQuota })).body).toEqual({ updated: true });
    expect((await quotas(id)).storageQuota).toBe(5);
  });

  it.each([[true], [1], [1.0], ['true'], ['T'], ['Yes'], ['y'], ['ON'], ['1']])('%j is true', async (readOnly) => {
    expect((await admin.post(`/orgs/${oid}/read-only`, { readOnly })).body).toEqual({ updated: true });
    expect((await admin.get(`/orgs/${oid}`)).body.readOnly).toBe(true);
    expect((await admin.post(`/orgs/${oid}/read-only`, { readOnly: 'off' })).status).toBe(200);
    expect((await admin.get(`/orgs/${oid}`)).body.readOnly).toBe(false);
  });

  it('ids in every spelling name one org', async () => {
    for (const id of [oid.toUpperCase(), oid.replaceAll('-', ''), `{${oid}}`, `urn:uuid:${oid}`])
      expect((await admin.get(`/orgs/${encodeURIComponent(id)}`)).body.id).toBe(oid);
  });

  it.each([
    ['2026-12-24T10:00:00+02:00', '2026-12-24T08:00:00Z'],
    ['2026-12-24 10:00:00', '2026-12-24T10:00:00Z'],
    ['2026-12-24', '2026-12-24T00:00:00Z'],
    [1_798_106_400, '2026-12-24T10:00:00Z'],
    [1_798_106_400_000, '2026-12-24T10:00:00Z'],
  ])('date %j is %s', async (futureCancelDate, expected) => {
    const id = await anOrg(under);
    const sub = subscription({ subId: `date-${String(futureCancelDate)}` });
    await admin.post('/subscriptions/import', { ...sub, oid: id });
    expect((await admin.post('/subscriptions/update', { ...sub, futureCancelDate })).status).toBe(200);
    expect((await admin.get(`/orgs/${id}`)).body.subscription.futureCancelDate).toBe(expected);
  });

  it('prices may be text, and unknown keys are nothing', async () => {
    const answer = await admin.post('/subscriptions/add-minutes', minutes({ totalPrice: '2.5', other: {} }));
    expect(answer.body).toEqual({ updated: true });
    const { items } = (await admin.get('/subscriptions/events', { oid })).body;
    expect(items.at(-1)).toMatchObject({ totalPrice: 2.5 });
    expect((await admin.post('/subscriptions/add-minutes', minutes({ totalPrice: 'much' }))).status).toBe(422);
  });
});

describe('the order of checks', () => {
  it('is token, id of the org with the rest of the input, org, role, superuser', async () => {
    const [bad, unknown] = ['/orgs/not-a-uuid/rename', '/orgs/2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e111/rename'];
    expect(failing(await under.api.post(bad, {}))).toEqual([401, 'invalid_credentials']);
    const both = await admin.post(bad, {});
    expect(both.status).toBe(422);
    expect(both.body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ['path', 'oid'],
      ['body', 'name'],
    ]);
    expect(failing(await admin.post(unknown, {}))).toEqual([404, 'org_not_found']);
    expect(failing(await viewer.api.post(`/orgs/${oid}/rename`, {}))).toEqual([403, NO_PERMISSION]);
    expect((await owner.api.post(`/orgs/${oid}/rename`, {})).status).toBe(422);
    expect(failing(await owner.api.post(`/orgs/${oid}/quotas`, { storageQuota: 'x' }))).toEqual([403, 'Not Allowed']);
    expect(failing(await owner.api.post('/subscriptions/create', {}))).toEqual([403, 'not_allowed']);
  });

  it('finds static paths before ids, where the method is theirs', async () => {
    expect((await admin.get('/orgs/create')).body.detail).toMatchObject([{ type: 'uuid_parsing' }]);
    expect((await admin.delete('/orgs/plans')).body.detail).toMatchObject([{ type: 'uuid_parsing' }]);
    const wrong = await admin.call('PUT', `/orgs/${oid}`);
    expect(failing(wrong)).toEqual([405, 'Method Not Allowed']);
    expect(wrong.headers.get('allow')).toBe('DELETE, GET');
  });
});

describe('a page', () => {
  it.each(['/orgs', '/users/invites', '/users/emails', '/subscriptions/events'])('of %s begins at 1', async (path) => {
    for (const query of [{ page: 0 }, { pageSize: 0 }, { page: -1 }]) {
      const answer = await admin.get(path, query);
      expect(answer.status).toBe(422);
      expect(answer.body.detail[0]).toMatchObject({
        type: 'greater_than_equal',
        loc: ['query', Object.keys(query)[0]],
      });
    }
    expect((await admin.get(path, { page: 'one' })).body.detail[0]).toMatchObject({ type: 'int_parsing' });
    expect((await admin.get(path, { page: 1000, pageSize: 7 })).body).toMatchObject({
      page: 1000,
      pageSize: 7,
      items: [],
    });
  });
});

describe('a deployment that is not in order', () => {
  it('says so: plans that are no JSON', async () => {
    const broken = await startApp({ like: under, env: { AVAILABLE_PLANS: '{"plans": [{"id": 5}]}' } });
    try {
      const by = broken.api.as(admin.token);
      expect(failing(await by.get('/orgs/plans'))).toEqual([400, 'invalid_plans']);
      expect(failing(await by.post('/orgs/create', { name: 'Planned', planId: 'basic' }))).toEqual([
        400,
        'invalid_plans',
      ]);
    } finally {
      await broken.stop();
    }
  });

  it('says so: no default org to register to', async () => {
    const open = await startApp({ like: under, env: { REGISTRATION_ENABLED: 'true' } });
    const orgs = under.connection.collection('organizations');
    try {
      await orgs.updateOne({ default: true }, { $set: { default: false, wasDefault: true } });
      const body = { email: 'late@example.com', password: 'correct horse' };
      expect(failing(await open.api.post('/auth/register', body))).toEqual([500, 'default_org_missing']);
      expect(await under.connection.collection('users').countDocuments({ email: body.email })).toBe(0);
    } finally {
      await orgs.updateOne({ wasDefault: true }, { $set: { default: true }, $unset: { wasDefault: '' } });
      await open.stop();
    }
  });

  it('says so: no version in the database', async () => {
    const versions = under.connection.collection('version');
    const stored = await versions.findOne({});
    try {
      await versions.deleteMany({});
      expect(failing(await admin.get(`/orgs/${oid}/export/json`))).toEqual([400, 'invalid_db']);
      const raw = '{"data": {"dbVersion": "0058", "org": {}}}';
      expect(failing(await admin.call('POST', '/orgs/import/json', { raw }))).toEqual([400, 'invalid_db']);
    } finally {
      if (stored) await versions.insertOne(stored);
    }
  });
});

import { RawConnection } from '../../support/raw-connection.js';
import type { ApiClient } from '../../support/api-client.js';
import { anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

let under: AppUnderTest;
let admin: ApiClient;
let oid: string;

beforeAll(async () => {
  under = await startApp({ env: { BILLING_ENABLED: 'true', CUSTOM_STORAGES_ENABLED: 'true' } });
  admin = await under.admin();
  oid = await anOrg(under);
});
afterAll(() => under.close());

const headers = { 'content-type': 'application/json' };
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const config = { seeds: [{ url: 'https://example.com/' }] };
const typesOf = (answer: { body: { detail: { type: string; loc: unknown }[] } }) =>
  answer.body.detail.map(({ type, loc }) => [type, loc]);

/** Bodies of workflows and subscriptions, each with a key or text that every object has. */
const ODD = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

describe('a body that nests deeply', () => {
  it.each(['/auth/verify', '/orgs/create', '/auth/register'])(
    'is refused by %s before it is looked at',
    async (path) => {
      const raw = `{"name": ${nested(5000)}, "token": ${nested(5000)}}`;
      for (const by of [under.api, admin]) {
        const answer = await by.call('POST', path, { raw, headers });
        expect([answer.status, typesOf(answer)]).toEqual([422, [['json_invalid', ['body', 0]]]]);
      }
    },
  );

  it('of a workflow is refused, wherever it nests', async () => {
    const raw = `{"name": "deep", "config": {"seeds": [], "customBehaviors": ${nested(5000)}}}`;
    expect((await admin.call('POST', `/orgs/${oid}/crawlconfigs/`, { raw, headers })).status).toBe(422);
  });
});

describe('names that every object has', () => {
  it.each(ODD)('as a key, %s, are a key like any other', async (key) => {
    const odd = JSON.parse(`{"${key}": 1}`) as object;
    const made = await admin.post(`/orgs/${oid}/crawlconfigs/`, { name: 'odd', config: { ...config, ...odd }, ...odd });
    expect(made.status).toBe(200);
    const path = `/orgs/${oid}/crawlconfigs/${(made.body as { id: string }).id}/`;
    expect((await admin.patch(path, JSON.parse(`{"config": {"seeds": {"${key}": 1}, "${key}": 5}}`))).status).toBe(422);
    expect((await admin.patch(path, JSON.parse(`{"name": {"${key}": 1}}`))).status).toBe(422);
    const update = await admin.post(
      '/subscriptions/update',
      JSON.parse(`{"subId": "s", "status": {"${key}": 1}, "planId": "p", "quotas": {"${key}": {}}}`),
    );
    expect(update.status).toBe(422);
  });

  it.each(ODD)('as a schedule, %s, are none', async (schedule) => {
    const answer = await admin.post(`/orgs/${oid}/crawlconfigs/`, { name: 'odd', config, schedule });
    expect([answer.status, typesOf(answer)]).toEqual([422, [['value_error', ['body', 'schedule']]]]);
  });

  it.each(ODD)('as a storage, %s, are unknown', async (name) => {
    for (const custom of [true, false]) {
      const answer = await admin.post(`/orgs/${oid}/storage`, { storage: { name, custom } });
      expect([answer.status, answer.body]).toEqual([400, { detail: 'invalid_storage_ref' }]);
    }
    const gone = await admin.delete(`/orgs/${oid}/customStorage/${name}`);
    expect([gone.status, gone.body]).toEqual([400, { detail: 'no_such_storage' }]);
    expect((await admin.get(`/docs/api-assets/${name}`)).status).toBe(404);
  });
});

describe('the address of a storage', () => {
  const storage = {
    name: 'mine',
    access_key: 'a',
    secret_key: 's',
    endpoint_url: 'https://s3.example.com/',
    bucket: 'bucket',
  };

  it.each([
    [{ endpoint_url: 'https://s3.example.com/?x=1' }, 'url_parsing'],
    [{ endpoint_url: 'https://s3.example.com/#part' }, 'url_parsing'],
    [{ endpoint_url: 'https://user:secret@s3.example.com/' }, 'url_parsing'],
    [{ endpoint_url: 'https://s3.example.com/%zz/' }, 'url_parsing'],
    [{ access_endpoint_url: 'https://s3.example.com/?x=1' }, 'url_parsing'],
    [{ bucket: '.' }, 'string_pattern_mismatch'],
    [{ bucket: '..' }, 'string_pattern_mismatch'],
    [{ bucket: '/' }, 'string_pattern_mismatch'],
    [{ bucket: '?' }, 'string_pattern_mismatch'],
    [{ bucket: 'a#b' }, 'string_pattern_mismatch'],
    [{ bucket: 'a/b' }, 'string_pattern_mismatch'],
  ])('is a host and a bucket, and nothing like %j', async (fields, type) => {
    const answer = await admin.post(`/orgs/${oid}/customStorage`, { ...storage, ...fields });
    expect([answer.status, typesOf(answer)]).toEqual([422, [[type, ['body', Object.keys(fields)[0]]]]]);
  });
});

describe('an upgrade', () => {
  it.each(['//', 'http://[/', '///ws'])('of %s is answered that there is nothing', async (path) => {
    const client = await RawConnection.open(under.baseUrl);
    client.begin('GET', path, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': 13,
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    });
    const { status, body } = await client.answer();
    client.end();
    expect([status, JSON.parse(body)]).toEqual([404, { detail: 'Not Found' }]);
  });
});

describe('what browsers are told', () => {
  it.each(['/', '/replay/', '/browser/x/', '/api/docs', '/healthz', '/api/settings'])(
    'with %s is to believe its type, and to stay with TLS where it was used',
    async (path) => {
      const plain = await fetch(new URL(path, under.baseUrl));
      await plain.body?.cancel();
      expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
      expect(plain.headers.get('strict-transport-security')).toBeNull();
      const secure = await fetch(new URL(path, under.baseUrl), { headers: { 'x-forwarded-proto': 'https' } });
      await secure.body?.cancel();
      expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000');
    },
  );
});

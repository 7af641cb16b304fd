import { apiDocument } from '../../src/console/api-document.js';
import { uuid } from '../../src/database/uuid-codec.js';
import type { ApiClient } from '../support/api-client.js';
import { aMember, anOrg } from '../support/people.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';

const TAGS = ['auth', 'users', 'organizations', 'invites', 'subscriptions', 'settings'];
const UNKNOWN_ID = '2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e111';
const SHARED_SECRET = 'shared-secret-of-tests';
const TOKEN_SECRET = 'token-secret-of-tests';
const STORAGE_SECRET = 'storage-secret-of-tests';
const NO_PERMISSION = 'User does not have permission to perform this action';

/** Who may call: everybody, any login, a role in the org, a superuser (after a role), the shared secret. */
type Who =
  | 'public'
  | 'user'
  | 'viewer'
  | 'owner'
  | 'viewer→super'
  | 'owner→super'
  | 'super: Not Allowed'
  | 'super: not_allowed'
  | 'secret: Not Allowed'
  | 'secret, by its setting: not_allowed';

/** The contract's table: accounts §2 to §12, "Who". */
const TABLE: readonly (readonly [method: string, path: string, who: Who])[] = [
  ['GET', '/settings', 'public'],
  ['POST', '/auth/jwt/login', 'public'],
  ['POST', '/auth/jwt/refresh', 'user'],
  ['POST', '/auth/jwt/replay', 'user'], // addition, ADR 0005
  ['POST', '/auth/register', 'public'],
  ['POST', '/auth/forgot-password', 'public'],
  ['POST', '/auth/reset-password', 'public'],
  ['POST', '/auth/request-verify-token', 'public'],
  ['POST', '/auth/verify', 'public'],
  ['GET', '/users/me', 'user'],
  ['PATCH', '/users/me', 'user'],
  ['PUT', '/users/me/password-change', 'user'],
  ['PUT', '/users/me/change-password', 'user'],
  ['GET', '/users/me/invite/{token}', 'user'],
  ['GET', '/users/invite/{token}', 'public'],
  ['GET', '/users/invites', 'super: not_allowed'],
  ['GET', '/users/emails', 'super: not_allowed'],
  ['GET', '/orgs', 'user'],
  ['POST', '/orgs/create', 'secret: Not Allowed'],
  ['GET', '/orgs/plans', 'super: Not Allowed'],
  ['GET', '/orgs/feature-flags', 'super: Not Allowed'],
  ['GET', '/orgs/slugs', 'super: Not Allowed'],
  ['GET', '/orgs/slug-lookup', 'super: Not Allowed'],
  ['POST', '/orgs/clear-presigned-urls', 'super: Not Allowed'],
  ['POST', '/orgs/import/json', 'super: Not Allowed'],
  ['POST', '/orgs/invite-accept/{token}', 'user'],
  ['GET', '/orgs/{oid}', 'viewer'],
  ['POST', '/orgs/{oid}/rename', 'owner'],
  ['POST', '/orgs/{oid}/quotas', 'owner→super'],
  ['POST', '/orgs/{oid}/proxies', 'owner→super'],
  ['POST', '/orgs/{oid}/feature-flags', 'owner→super'],
  ['POST', '/orgs/{oid}/read-only', 'owner→super'],
  ['POST', '/orgs/{oid}/read-only-on-cancel', 'owner→super'],
  ['POST', '/orgs/{oid}/public-profile', 'owner'],
  ['POST', '/orgs/{oid}/event-webhook-urls', 'owner'],
  ['POST', '/orgs/{oid}/defaults/crawling', 'owner'],
  ['PATCH', '/orgs/{oid}/note', 'viewer→super'],
  ['GET', '/orgs/{oid}/metrics', 'viewer'],
  ['GET', '/orgs/{oid}/storage', 'owner'],
  ['GET', '/orgs/{oid}/allStorages', 'owner'],
  ['POST', '/orgs/{oid}/clear-presigned-urls', 'owner'],
  ['POST', '/orgs/{oid}/recalculate-storage', 'owner'],
  ['GET', '/orgs/{oid}/export/json', 'owner→super'],
  ['PATCH', '/orgs/{oid}/user-role', 'owner'],
  ['POST', '/orgs/{oid}/invite', 'owner'],
  ['GET', '/orgs/{oid}/invites', 'owner'],
  ['POST', '/orgs/{oid}/invites/delete', 'owner'],
  ['POST', '/orgs/{oid}/remove', 'owner'],
  ['POST', '/orgs/{oid}/add-user', 'owner→super'],
  ['GET', '/orgs/{oid}/billing-portal', 'owner'],
  ['GET', '/orgs/{oid}/price/execution-minutes', 'owner'],
  ['GET', '/orgs/{oid}/checkout/execution-minutes', 'owner'],
  ['POST', '/subscriptions/create', 'secret, by its setting: not_allowed'],
  ['POST', '/subscriptions/import', 'secret, by its setting: not_allowed'],
  ['POST', '/subscriptions/update', 'secret, by its setting: not_allowed'],
  ['POST', '/subscriptions/cancel', 'secret, by its setting: not_allowed'],
  ['POST', '/subscriptions/add-minutes', 'secret, by its setting: not_allowed'],
  ['POST', '/subscriptions/send-trial-end-reminder', 'secret, by its setting: not_allowed'],
  ['GET', '/subscriptions/is-activated/{sub_id}', 'secret, by its setting: not_allowed'],
  ['GET', '/subscriptions/events', 'secret, by its setting: not_allowed'],
  // Last: it ends the org.
  ['DELETE', '/orgs/{oid}', 'viewer→super'],
];

const CALLERS = ['anon', 'secret', 'stranger', 'viewer', 'crawler', 'owner', 'superuser'] as const;
type Caller = (typeof CALLERS)[number];
const STANDING: Record<Caller, number> = {
  anon: -1,
  secret: -1,
  stranger: 0,
  viewer: 10,
  crawler: 20,
  owner: 40,
  superuser: 100,
};

/** The refusal the contract has for this caller, or null when the caller is let in. */
function refusal(who: Who, caller: Caller, path: string): readonly [number, string] | null {
  const standing = STANDING[caller];
  if (who === 'public') return null;
  if (caller === 'secret' && who === 'secret: Not Allowed') return null;
  if (standing < 0) return [401, 'invalid_credentials'];
  if (who === 'user' || caller === 'superuser') return null;
  if (path.includes('{oid}') && standing < 10) return [404, 'org_not_found'];
  if (who.startsWith('owner') && standing < 40) return [403, NO_PERMISSION];
  if (who.endsWith('→super')) return [403, 'Not Allowed'];
  return who === 'viewer' || who === 'owner' ? null : [403, who.split(': ')[1] ?? ''];
}

describe('access to accounts, orgs and subscriptions', () => {
  let under: AppUnderTest;
  let oid: string;
  let clients: Record<Caller, ApiClient>;
  let strangersEmail: string;

  beforeAll(async () => {
    under = await startApp({
      env: { BILLING_ENABLED: 'true', BTRIX_SUBS_APP_API_KEY: SHARED_SECRET, PASSWORD_SECRET: TOKEN_SECRET },
    });
    oid = await anOrg(under);
    const storage = { type: 's3', secret_key: STORAGE_SECRET, access_key: STORAGE_SECRET };
    await under.connection
      .collection('organizations')
      .updateOne({ _id: uuid(oid) as never }, { $set: { customStorages: { own: storage } } });
    const stranger = await aMember(under, await anOrg(under), 40);
    strangersEmail = stranger.email;
    clients = {
      anon: under.api,
      secret: under.api.as(SHARED_SECRET),
      stranger: stranger.api,
      viewer: (await aMember(under, oid, 10)).api,
      crawler: (await aMember(under, oid, 20)).api,
      owner: (await aMember(under, oid, 40)).api,
      superuser: await under.admin(),
    };
  });
  afterAll(() => under?.close());

  it('is declared in the table for every route there is, and for no other', () => {
    const paths = apiDocument(under.app).paths as unknown as Record<string, Record<string, { tags?: string[] }>>;
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags?.some((tag) => TAGS.includes(tag)))
        .map(([method]) => `${method.toUpperCase()} ${path.replace(/^\/api/, '')}`),
    );
    expect(served.sort()).toEqual(TABLE.map(([method, path]) => `${method} ${path}`).sort());
  });

  it('is as the table says for every caller, and no answer has a hash, a key or a stranger in it', async () => {
    const wrong: string[] = [];
    const leaks: string[] = [];
    for (const [method, path, who] of TABLE) {
      const target = path.replace('{oid}', oid).replace(/\{\w+\}/, UNKNOWN_ID);
      for (const caller of CALLERS) {
        const isForm = path === '/auth/jwt/login';
        const options = method === 'GET' ? {} : isForm ? { form: {} } : { json: {} };
        const response = await clients[caller].fetch(method, target, options);
        const text = await response.text();
        const detail = (response.status < 400 ? null : (JSON.parse(text) as { detail: unknown }).detail) as string;
        const expected = refusal(who, caller, path);
        const isRight = expected
          ? response.status === expected[0] && detail === expected[1]
          : ![401, 403, 405].includes(response.status) && detail !== 'org_not_found' && detail !== 'Not Found';
        if (!isRight) wrong.push(`${method} ${path} by ${caller}: ${String(response.status)} ${text.slice(0, 90)}`);
        // An export is the superuser's copy of the org, with the keys of its storages.
        const mayHoldKeys = path.endsWith('/export/json') && caller === 'superuser';
        const secrets = [SHARED_SECRET, TOKEN_SECRET, ...(mayHoldKeys ? [] : [STORAGE_SECRET])];
        const isForeign = !['superuser', 'stranger'].includes(caller) && text.includes(strangersEmail);
        if (/\$2[abxy]\$|hashed_password/.test(text) || secrets.some((secret) => text.includes(secret)) || isForeign)
          leaks.push(`${method} ${path} by ${caller}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(leaks).toEqual([]);
  });
});

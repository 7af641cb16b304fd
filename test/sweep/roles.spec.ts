import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { LIMITED_ROUTES } from '../../src/access-keys/rules/limited-routes.js';
import { DeclaredAccessCheck } from '../../src/common/access/declared-access.js';
import { KEY_SCOPES, type KeyDemand } from '../../src/common/access/key-scopes.js';
import { uuid } from '../../src/database/uuid-codec.js';
import { ACCESS_TABLE, CALLERS, refusal, type Caller } from '../support/access-table.js';
import type { ApiClient } from '../support/api-client.js';
import { apiOperations } from '../support/api-operations.js';
import { aMember, anOrg } from '../support/people.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';
import { sayFigures } from '../support/sweep-size.js';

const UNKNOWN_ID = '2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e111';
const OTHER_ID = '2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e222';
const SHARED_SECRET = 'shared-secret-of-tests';
const TOKEN_SECRET = 'token-secret-of-tests';
const STORAGE_SECRET = 'storage-secret-of-tests';
/** An org that a caller may not see, and a route that is not there: nothing that was let in is answered so. */
const NOT_LET_IN = ['org_not_found', 'Not Found'];

interface Cell {
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  readonly status: number;
  readonly text: string;
}

describe('access to every route', () => {
  let under: AppUnderTest;
  let oid: string;
  let clients: Record<Caller, ApiClient>;
  let strangersEmail: string;

  beforeAll(async () => {
    under = await startApp({
      env: {
        BILLING_ENABLED: 'true',
        BTRIX_SUBS_APP_API_KEY: SHARED_SECRET,
        PASSWORD_SECRET: TOKEN_SECRET,
        CUSTOM_STORAGES_ENABLED: 'true',
        API_KEY_REQUESTS_PER_MINUTE: '0',
      },
    });
    oid = await anOrg(under);
    const storage = { type: 's3', secret_key: STORAGE_SECRET, access_key: STORAGE_SECRET };
    await under.connection
      .collection('organizations')
      .updateOne({ _id: uuid(oid) as never }, { $set: { customStorages: { own: storage } } });
    const admin = await under.admin();
    const elsewhere = await anOrg(under);
    const stranger = await aMember(under, elsewhere, 40);
    strangersEmail = stranger.email;
    const former = await aMember(under, oid, 40);
    clients = {
      anon: under.api,
      secret: under.api.as(SHARED_SECRET),
      garbage: under.api.as('not.a.token'),
      'forged superuser': under.api.as(admin.token!.replace(/.{6}$/, 'AAAAAA')),
      'stranger (viewer)': (await aMember(under, elsewhere, 10)).api,
      'stranger (crawler)': (await aMember(under, elsewhere, 20)).api,
      'stranger (owner)': stranger.api,
      'former owner': former.api,
      viewer: (await aMember(under, oid, 10)).api,
      crawler: (await aMember(under, oid, 20)).api,
      owner: (await aMember(under, oid, 40)).api,
      superuser: admin,
    };
    expect((await admin.post(`/orgs/${oid}/remove`, { email: former.email })).status).toBe(200);
  });
  afterAll(() => under?.close());

  async function ask(method: string, path: string, caller: Caller): Promise<Cell> {
    const target = path.replace('{oid}', oid).replace(/\{\w+\}/g, UNKNOWN_ID);
    const isForm = path === '/auth/jwt/login';
    const options = /GET|HEAD|OPTIONS/.test(method) ? {} : isForm ? { form: {} } : { json: {} };
    // Of uploads by tus, a POST is what this header says.
    const headers = { 'x-http-method-override': 'DELETE', 'tus-resumable': '1.0.0' };
    // Whoever logs out is nobody in all cells after it.
    const client = path === '/auth/jwt/logout' ? under.api : clients[caller];
    const response = await client.fetch(method, target, { ...options, headers });
    return { method, path, caller, status: response.status, text: await response.text() };
  }

  const detailOf = ({ status, text }: Cell): unknown =>
    status >= 400 && text.startsWith('{') ? (JSON.parse(text) as { detail: unknown }).detail : null;

  function isRight(cell: Cell, expected: readonly [number, string] | null): boolean {
    const { method, status } = cell;
    const detail = detailOf(cell);
    if (!expected) return ![401, 403, 405].includes(status) && !NOT_LET_IN.includes(String(detail));
    return status === expected[0] && (method === 'HEAD' || detail === expected[1]);
  }

  function leaks({ path, caller, text }: Cell): boolean {
    // An export is the superuser's copy of the org, with the keys of its storages.
    const mayHoldKeys = path.endsWith('/export/json') && caller === 'superuser';
    const secrets = [SHARED_SECRET, TOKEN_SECRET, ...(mayHoldKeys ? [] : [STORAGE_SECRET])];
    const isForeign = !/superuser|stranger/.test(caller) && text.includes(strangersEmail);
    return /\$2[abxy]\$|hashed_password/.test(text) || secrets.some((secret) => text.includes(secret)) || isForeign;
  }

  it('is declared in the table for every route there is, and for no other', () => {
    const served = apiOperations(under.app).map(({ method, path }) => `${method} ${path.replace(/^\/api/, '')}`);
    expect(served.sort()).toEqual(ACCESS_TABLE.map(([method, path]) => `${method} ${path}`).sort());
  });

  it('is as the table says for every caller, and no answer has a hash, a key or a stranger in it', async () => {
    const wrong: string[] = [];
    const leaking: string[] = [];
    for (const [method, path, who] of ACCESS_TABLE)
      for (const caller of CALLERS) {
        const cell = await ask(method, path, caller);
        const label = `${method} ${path} by ${caller}: ${String(cell.status)} ${cell.text.slice(0, 90)}`;
        if (!isRight(cell, refusal(who, caller, path))) wrong.push(label);
        if (leaks(cell)) leaking.push(label);
      }
    const cells = ACCESS_TABLE.length * CALLERS.length;
    sayFigures(`${String(wrong.length)} wrong of ${String(cells)} cells, role × route`);
    expect(wrong).toEqual([]);
    expect(leaking).toEqual([]);
  });

  /** What each route of the table demands of a key. */
  function demands(): Map<string, KeyDemand | null> {
    const handlers = under.app.get(DeclaredAccessCheck, { strict: false }).handlers();
    return new Map(
      handlers.map(({ controller, method, keys }) => {
        const handler = (controller.prototype as unknown as Record<string, object>)[method]!;
        const parts = [controller, handler].map((of) => String(Reflect.getMetadata(PATH_METADATA, of)));
        const path = `/${parts.join('/')}`.replace(/\/{2,}/g, '/').replace(/[:*](\w+)/g, '{$1}');
        const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
        return [`${verb} ${path.replace(/(?<=.)\/$/, '')}`, keys];
      }),
    );
  }

  it('has a scope of API keys for every route, without which no key is let in', async () => {
    const demanded = demands();
    const place = await anOrg(under);
    const made = await clients.superuser.post('/users/me/api-keys', { name: 'sweep', scopes: KEY_SCOPES });
    const api = under.api.as(made.body.key as string);
    const detailFor = async (scopes: readonly string[], method: string, path: string): Promise<unknown> => {
      await under.connection.collection('access_keys').updateOne({}, { $set: { scopes } });
      const target = path.replace('{oid}', place).replace(/\{\w+\}/g, UNKNOWN_ID);
      const options = /GET|HEAD|OPTIONS/.test(method) ? {} : { json: {} };
      const response = await api.fetch(method, target, { ...options, headers: { 'tus-resumable': '1.0.0' } });
      const cell = { status: response.status, text: await response.text() };
      if (method === 'HEAD' && cell.status === 403) return 'api_key_scope_missing';
      return detailOf({ ...cell, method, path, caller: 'superuser' });
    };
    const [wrong, table]: [string[], string[]] = [[], []];
    let cells = 0;
    for (const [method, path, who] of ACCESS_TABLE) {
      // Anyone may call these; or nobody but a program of the service.
      if (who === 'public' || who.startsWith('service')) continue;
      const demand = demanded.get(`${method} ${path.replace(/\/$/, '')}`) ?? 'missing';
      table.push(`${demand.padEnd(18)} ${method} ${path}`);
      const needed = KEY_SCOPES.filter((scope) => scope === demand);
      const others = KEY_SCOPES.filter((scope) => scope !== demand);
      const refused = demand === 'none' ? 'api_keys_refused' : needed.length > 0 ? 'api_key_scope_missing' : null;
      const told = await detailFor(others, method, path);
      cells++;
      // A key needs no new token of itself.
      const isRefresh = path === '/auth/jwt/refresh';
      if (isRefresh ? told !== 'api_keys_refused' : refused ? told !== refused : /^api_key/.test(String(told)))
        wrong.push(`${method} ${path} without ${demand}: ${String(told)}`);
      if (needed.length === 0) continue;
      const answered = await detailFor(needed, method, path);
      cells++;
      if (/^api_key(s_|_scope)|^invalid_credentials|^Not Allowed|^not_allowed|^org_not/.test(String(answered)))
        wrong.push(`${method} ${path} with ${demand}: ${String(answered)}`);
    }
    sayFigures(`${String(wrong.length)} wrong of ${String(cells)} cells, scope × route\n${table.sort().join('\n')}`);
    expect(wrong).toEqual([]);
    expect(table.filter((line) => line.startsWith('missing'))).toEqual([]);
  });

  /** What a caller gets at a route of the org, by ids that are nobody's. */
  async function detailAt(api: ApiClient, method: string, path: string, place: string): Promise<[number, unknown]> {
    const target = path.replace('{oid}', place).replace(/\{\w+\}/g, UNKNOWN_ID);
    const options = /GET|HEAD|OPTIONS/.test(method) ? {} : { json: {} };
    const headers = { 'x-http-method-override': 'DELETE', 'tus-resumable': '1.0.0' };
    const response = await api.fetch(method, target, { ...options, headers });
    const cell = { method, path, caller: 'owner' as const, status: response.status, text: await response.text() };
    return [response.status, detailOf(cell)];
  }
  const isOfNobody = (who: string): boolean => who === 'public' || who.startsWith('service');
  const SCOPES_OF_ORGS = KEY_SCOPES.filter((scope) => scope !== 'system:admin');

  it('is, for keys of service accounts, that of a member of their role, where keys may at all', async () => {
    const demanded = demands();
    const place = await anOrg(under);
    const admin = clients.superuser;
    const wrong: string[] = [];
    let cells = 0;
    for (const [role, standing] of [
      [10, 'viewer'],
      [20, 'crawler'],
      [40, 'owner'],
    ] as const) {
      const account = await admin.post(`/orgs/${place}/service-accounts`, { name: standing, role });
      const keys = `/orgs/${place}/service-accounts/${account.body.id as string}/api-keys`;
      const made = await admin.post(keys, { name: 'sweep', scopes: SCOPES_OF_ORGS });
      const api = under.api.as(made.body.key as string);
      for (const [method, path, who] of ACCESS_TABLE) {
        if (isOfNobody(who) || path === '/auth/jwt/refresh') continue;
        const demand = demanded.get(`${method} ${path.replace(/\/$/, '')}`);
        const expected =
          demand === 'none'
            ? ([403, 'api_keys_refused'] as const)
            : demand === 'system:admin'
              ? ([403, 'api_key_scope_missing'] as const)
              : refusal(who, standing, path);
        const [status, detail] = await detailAt(api, method, path, place);
        cells++;
        const isAsTold = expected
          ? status === expected[0] && (method === 'HEAD' || detail === expected[1])
          : ![401, 403, 405].includes(status) && !NOT_LET_IN.includes(String(detail));
        if (!isAsTold) wrong.push(`${method} ${path} by a ${standing}: ${String(status)} ${String(detail)}`);
      }
    }
    sayFigures(`${String(wrong.length)} wrong of ${String(cells)} cells, role of a service account × route`);
    expect(wrong).toEqual([]);
  });

  it('is, for limited keys, what their table opens: of what they are limited to, and nothing of the rest', async () => {
    const place = await anOrg(under);
    const key = async (only: object): Promise<ApiClient> => {
      const body = { name: 'sweep', scopes: SCOPES_OF_ORGS, ...only };
      const made = await clients.superuser.post(`/orgs/${place}/api-keys`, body);
      return under.api.as(made.body.key as string);
    };
    const reaching = await key({ onlyWorkflows: [UNKNOWN_ID], onlyCollections: [UNKNOWN_ID] });
    const elsewhere = await key({ onlyWorkflows: [OTHER_ID], onlyCollections: [OTHER_ID] });
    const wrong: string[] = [];
    const opened: string[] = [];
    let cells = 0;
    for (const [method, path, who] of ACCESS_TABLE) {
      if (isOfNobody(who) || path === '/auth/jwt/refresh') continue;
      const route = `${method === 'HEAD' ? 'GET' : method} ${path.replace(/(?<=.)\/$/, '').replace(/\{(\w+)\}/g, ':$1')}`;
      const named = LIMITED_ROUTES.get(route);
      const refusals = ['api_key_limited', 'api_keys_refused', 'api_key_scope_missing'];
      for (const api of [reaching, elsewhere]) {
        const [status, detail] = await detailAt(api, method, path, place);
        cells++;
        const isReached =
          named === 'any' || (api === reaching && named && ('workflow' in named || 'collection' in named));
        const isRefused = status === 403 && (method === 'HEAD' || refusals.includes(String(detail)));
        if (isRefused === Boolean(isReached)) wrong.push(`${route}: ${String(status)} ${String(detail)}`);
        if (!isRefused) opened.push(route);
      }
    }
    sayFigures(`${String(wrong.length)} wrong of ${String(cells)} cells, limited key × route`);
    expect(wrong).toEqual([]);
    expect(opened.length).toBeGreaterThan(10);
  });

  it('is, where an org wants a second factor that the log-in lacks, that refusal at each of its routes', async () => {
    const place = await anOrg(under);
    const lacking = await aMember(under, place, 40);
    await under.connection
      .collection('organizations')
      .updateOne({ _id: uuid(place) as never }, { $set: { secondFactorDemanded: true } });
    const wrong: string[] = [];
    let cells = 0;
    for (const [method, path, who] of ACCESS_TABLE) {
      if (isOfNobody(who) || !path.includes('{oid}')) continue;
      for (const api of [lacking.api, clients.superuser]) {
        const [status, detail] = await detailAt(api, method, path, place);
        cells++;
        if (status !== 403 || (method !== 'HEAD' && detail !== 'second_factor_demanded'))
          wrong.push(`${method} ${path}: ${String(status)} ${String(detail)}`);
      }
    }
    sayFigures(`${String(wrong.length)} wrong of ${String(cells)} cells, log-in without the demanded factor × route`);
    expect(wrong).toEqual([]);
  });
});

import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { NOT_AUDITED } from '../../../src/audit/not-audited.js';
import { DeclaredAccessCheck } from '../../../src/common/access/declared-access.js';
import { operationName } from '../../../src/common/openapi/operation-names.js';
import { apiDocument } from '../../../src/console/api-document.js';
import { ACCESS_TABLE, CALLERS, refusal, type Caller } from '../../support/access-table.js';
import type { ApiClient } from '../../support/api-client.js';
import { entriesOf } from '../../support/audit-entries.js';
import { aMember, anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const UNKNOWN_ID = '2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e111';
const SHARED_SECRET = 'shared-secret-of-tests';
const CHANGING = ACCESS_TABLE.filter(([method]) => /POST|PUT|PATCH|DELETE/.test(method));

/** What changes something, or may by its method, and yet has no entry of its own. */
const NOT_AUDITED_ROUTES = {
  'PATCH /orgs/{oid}/uploads/tus/{upload_id}': 'one of many pieces; the item that the last one makes is told by itself',
  'POST /auth/forgot-password': 'changes nothing, and strangers may ask for anything',
  'POST /auth/jwt/login': 'whom it lets in is told by itself',
  'POST /auth/jwt/logout': 'a session that ends is told by itself',
  'POST /auth/jwt/refresh': 'changes nothing, and comes every few minutes',
  'POST /auth/jwt/replay': 'changes nothing',
  'POST /auth/jwt/second-step': 'whom it lets in is told by itself',
  'POST /auth/oidc/{id}/backchannel-logout': 'sessions that end are told by themselves',
  'POST /auth/passkey/login': 'whom it lets in is told by itself',
  'POST /auth/passkey/options': 'changes nothing',
  'POST /auth/register': 'who registered is told by itself',
  'POST /auth/request-verify-token': 'changes nothing, and strangers may ask for anything',
  'POST /auth/reset-password': 'a password that was reset is told by itself',
  'POST /auth/verify': 'an address that was verified is told by itself',
  'POST /orgs/{oid}/crawlconfigs/validate/custom-behavior': 'changes nothing',
  'POST /orgs/{oid}/profiles/browser/{browserid}/ping': 'keeps a browser going that was opened, every few seconds',
};

describe('every route that changes something', () => {
  let under: AppUnderTest;
  let oid: string;
  let clients: Partial<Record<Caller, ApiClient>>;

  beforeAll(async () => {
    under = await startApp({
      env: {
        BILLING_ENABLED: 'true',
        BTRIX_SUBS_APP_API_KEY: SHARED_SECRET,
        CUSTOM_STORAGES_ENABLED: 'true',
        API_KEY_REQUESTS_PER_MINUTE: '0',
      },
    });
    oid = await anOrg(under);
    const elsewhere = await anOrg(under);
    clients = {
      anon: under.api,
      secret: under.api.as(SHARED_SECRET),
      garbage: under.api.as('not.a.token'),
      'stranger (owner)': (await aMember(under, elsewhere, 40)).api,
      viewer: (await aMember(under, oid, 10)).api,
      crawler: (await aMember(under, oid, 20)).api,
      owner: (await aMember(under, oid, 40)).api,
      superuser: await under.admin(),
    };
  });
  afterAll(() => under?.close());

  /** What wears `@NotAudited`, by route, with its reason; and the operation of each. */
  function handlers(): { route: string; why: string | undefined; action: string }[] {
    return under.app
      .get(DeclaredAccessCheck, { strict: false })
      .handlers()
      .map(({ controller, method }) => {
        const handler = (controller.prototype as unknown as Record<string, object>)[method]!;
        const parts = [controller, handler].map((of) => String(Reflect.getMetadata(PATH_METADATA, of)));
        const path = `/${parts.join('/')}`.replace(/\/{2,}/g, '/').replace(/[:*](\w+)/g, '{$1}');
        const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
        return {
          route: `${verb} ${path.replace(/(?<=.)\/$/, '')}`,
          why: Reflect.getMetadata(NOT_AUDITED, handler) as string | undefined,
          action: operationName(controller.name, method),
        };
      });
  }

  async function ask(method: string, path: string, client: ApiClient, requestId: string): Promise<number> {
    const target = path.replace('{oid}', oid).replace(/\{\w+\}/g, UNKNOWN_ID);
    const options = path === '/auth/jwt/login' ? { form: {} } : { json: {} };
    const headers = { 'x-http-method-override': 'DELETE', 'tus-resumable': '1.0.0', 'x-request-id': requestId };
    const response = await client.fetch(method, target, { ...options, headers });
    await response.text();
    expect(response.headers.get('x-request-id')).toBe(requestId);
    return response.status;
  }

  it('has an entry, but for these, which say why', () => {
    const worn = handlers().filter(({ why }) => why !== undefined);
    expect(Object.fromEntries(worn.map(({ route, why }) => [route, why]))).toEqual(NOT_AUDITED_ROUTES);
  });

  it('is named in its entry as in the document of the API', () => {
    const named = Object.entries(apiDocument(under.app).paths).flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, { operationId: string }>).map(([method, { operationId }]) => [
        `${method.toUpperCase()} ${path.replace(/^\/api/, '').replace(/(?<=.)\/$/, '')}`,
        operationId,
      ]),
    );
    const byRoute = Object.fromEntries(named) as Record<string, string>;
    const wrong = handlers().filter(({ route, action }) => byRoute[route] !== undefined && byRoute[route] !== action);
    expect(wrong).toEqual([]);
    expect(named.length).toBeGreaterThan(200);
  });

  it('leaves one entry for each call that is let in, and none for what is refused before', async () => {
    const wrong: string[] = [];
    const exempt = new Set(Object.keys(NOT_AUDITED_ROUTES));
    const actions = new Map(handlers().map(({ route, action }) => [route, action]));
    const calls: {
      label: string;
      requestId: string;
      expected: 0 | 1;
      status: number;
      action: string;
      caller: Caller;
    }[] = [];
    for (const [n, [method, path, who]] of CHANGING.entries())
      for (const caller of CALLERS) {
        const client = clients[caller];
        // Whoever logs out is nobody in all calls after it.
        if (!client || (path === '/auth/jwt/logout' && caller !== 'anon')) continue;
        const route = `${method} ${path.replace(/(?<=.)\/$/, '')}`;
        const requestId = `walk-${String(n)}-${caller.replace(/\W+/g, '_')}`;
        const status = await ask(method, path, client, requestId);
        const expected = exempt.has(route) || refusal(who, caller, path) ? 0 : 1;
        const action = actions.get(route) ?? '';
        calls.push({ label: `${route} by ${caller}`, requestId, expected, status, action, caller });
      }
    const entries = await entriesOf(under.connection, { requestId: /^walk-/ });
    for (const { label, requestId, expected, status, action, caller } of calls) {
      const [entry, ...more] = entries.filter((one) => one.requestId === requestId);
      const found = entry ? 1 + more.length : 0;
      if (found !== expected) wrong.push(`${label}: ${String(found)} entries, answered ${String(status)}`);
      if (!entry || expected === 0) continue;
      const outcome = status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'done';
      if (entry.outcome !== outcome || entry.status !== status)
        wrong.push(`${label}: ${entry.outcome} ${String(entry.status)}, answered ${String(status)}`);
      if (entry.action !== action) wrong.push(`${label}: ${entry.action}`);
      const kind = caller === 'secret' ? 'secret' : 'user';
      if (entry.actorKind !== kind || (kind === 'user') !== (entry.actor !== null))
        wrong.push(`${label}: by ${entry.actorKind} ${String(entry.actor)}`);
      if (label.includes('{oid}') && entry.oid !== oid) wrong.push(`${label}: of ${String(entry.oid)}`);
    }
    expect(wrong).toEqual([]);
    expect(entries.length).toBeGreaterThan(200);
  });
});

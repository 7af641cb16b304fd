import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../support/api-client.js';
import { apiOperations, filledPath, type ApiOperation } from '../support/api-operations.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';

const OUTSIDER = { email: 'outsider@example.org', password: 'an outsider of 2 orgs' };

/** Values that no parameter means, each of another kind of wrong. */
const NONSENSE = ['', '0', '-1', 'x', '%00', '../..', 'a'.repeat(3000), '💣', '{"$gt":""}', '1e309', 'null', '[]'];
const NONSENSE_BODIES: unknown[] = [
  null,
  [],
  'text',
  7,
  {},
  { name: { $gt: '' }, ids: 'x', config: [], url: {} },
  { name: '\u0000', description: '💣'.repeat(2000), tags: [{}], config: { seeds: [{ url: 'http://' }] } },
];

describe('every route', () => {
  let t: AppUnderTest;
  let admin: ApiClient;
  let oid: string;
  let operations: ApiOperation[];

  beforeAll(async () => {
    t = await startApp({ env: { BILLING_ENABLED: 'true', BTRIX_SUBS_APP_URL: 'http://127.0.0.1:9/' } });
    admin = await t.admin();
    oid = await t.defaultOrgId();
    operations = apiOperations(t.app);
  });
  afterAll(() => t?.close());

  /** Ids of the right form that nothing has. */
  const unknown = (name: string): string => {
    if (name === 'oid') return oid;
    if (/crawl_id|item_id|qa_run_id/.test(name)) return 'manual-20200101000000-0e138ad6-b8c';
    return /slug|sub_id|name|job_id/.test(name) ? 'no-such' : randomUUID();
  };

  it('that is not public refuses a caller without a token, with a bad one, and asks for one', async () => {
    const open: string[] = [];
    for (const { method, path, secured } of operations) {
      if (!secured) continue;
      for (const caller of [t.api, t.api.as('not.a.token')]) {
        const response = await caller.fetch(method, filledPath(path, unknown));
        await response.body?.cancel();
        // Clients of WASAPI know name and password alone.
        const scheme = path.startsWith('/wasapi/') ? 'Basic' : 'Bearer';
        const asked = response.headers.get('www-authenticate')?.split(' ')[0];
        const isRefused = response.status === 401 && asked === scheme;
        if (!isRefused) open.push(`${method} ${path}: ${response.status}`);
      }
    }
    expect(open).toEqual([]);
  });

  it('of an org is closed to members of other orgs, who cannot tell it from an org that does not exist', async () => {
    const created = await admin.post('/orgs/create', { name: 'Another org' });
    const other = (created.body as { id: string }).id;
    await admin.post(`/orgs/${other}/add-user`, { ...OUTSIDER, name: 'Outsider', role: 40 });
    const outsider = await t.login(OUTSIDER.email, OUTSIDER.password);
    const open: string[] = [];
    for (const { method, path, secured } of operations) {
      if (!secured || !path.includes('{oid}')) continue;
      const answers: string[] = [];
      for (const target of [oid, randomUUID()]) {
        const response = await outsider.fetch(
          method,
          filledPath(path, (name) => (name === 'oid' ? target : unknown(name))),
        );
        answers.push(`${response.status} ${await response.text()}`);
      }
      const refused = method === 'HEAD' ? '404 ' : '404 {"detail":"org_not_found"}';
      if (answers.some((answer) => answer !== refused)) open.push(`${method} ${path}: ${answers.join(' | ')}`);
    }
    expect(open).toEqual([]);
  });

  it('for superusers is closed to owners', async () => {
    const owner = await t.login(OUTSIDER.email, OUTSIDER.password);
    const open: string[] = [];
    for (const { method, path, secured } of operations) {
      if (
        !secured ||
        path.includes('{oid}') ||
        !/\/orgs\/all\/|\/users\/(invites|emails)|\/subscriptions|\/orgs\/create|\/import/.test(path)
      )
        continue;
      const response = await owner.fetch(method, filledPath(path, unknown), {
        json: method === 'GET' ? undefined : {},
      });
      const text = await response.text();
      if (response.status !== 403) open.push(`${method} ${path}: ${response.status} ${text.slice(0, 80)}`);
    }
    expect(open).toEqual([]);
  });

  it('answers nonsense with a 4xx, never a 500', async () => {
    const broken: string[] = [];
    const call = async (operation: ApiOperation, path: string, options: object) => {
      const response = await admin.fetch(operation.method, path, options);
      const text = await response.text();
      if (response.status >= 500)
        broken.push(
          `${operation.method} ${path.slice(0, 160)} ${JSON.stringify(options).slice(0, 100)}: ${text.slice(0, 100)}`,
        );
    };
    for (const operation of operations) {
      // These act on the whole deployment or end the org that the others need; their own tests cover bad input.
      if (operation.method === 'DELETE' && operation.path === '/api/orgs/{oid}') continue;
      const path = filledPath(operation.path, unknown);
      for (const name of operation.parameters.filter((p) => p.in === 'path' && p.name !== 'oid').map((p) => p.name))
        for (const value of NONSENSE.slice(1, 9))
          await call(
            operation,
            filledPath(operation.path, (n) => (n === name ? value : unknown(n))),
            {},
          );
      for (const { name } of operation.parameters.filter((p) => p.in === 'query'))
        for (const value of NONSENSE) await call(operation, path, { query: { [name]: value } });
      if (operation.body) for (const json of NONSENSE_BODIES) await call(operation, path, { json });
    }
    expect(broken).toEqual([]);
  }, 900_000);
});

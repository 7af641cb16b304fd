import { randomUUID } from 'node:crypto';
import { uuid } from '../../../src/database/uuid-codec.js';
import { AuditListQueries } from '../../../src/ledger/data/audit-list.queries.js';
import type { ApiClient } from '../../support/api-client.js';
import { storeLines } from '../../support/audit-lines.js';
import { eventually } from '../../support/eventually.js';
import { aMember, anOrg, type Member } from '../../support/people.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

const at = (second: number): Date => new Date(Date.UTC(2020, 9, 1, 12, 0, second));

describe('the audit log', () => {
  let on: AppUnderTest;
  let oid: string;
  let owner: Member;
  let admin: ApiClient;
  const key = randomUUID();

  beforeAll(async () => {
    on = await startApp();
    admin = await on.admin();
    oid = await anOrg(on);
    owner = await aMember(on, oid, 40);
    await on.connection.collection('audit_events').deleteMany({});
    await storeLines(on, [
      {
        oid,
        at: at(1),
        actor: owner.id,
        action: 'updateOrg',
        changed: [{ field: 'readOnly', before: false, after: true }],
      },
      { oid, at: at(2), actor: owner.id, key, action: 'deleteCrawls', targetKind: 'crawl', target: '=1+1' },
      { oid, at: at(3), actorKind: 'system', actor: null, action: 'system.cleanup', address: null, requestId: null },
      { oid, at: at(4), outcome: 'refused', status: 403, action: 'deleteOrg' },
      { at: at(5), actor: owner.id, action: 'login' },
    ]);
  });
  afterAll(() => on.close());

  type Item = Record<string, unknown>;
  const list = async (query = '', api = owner.api, of = oid): Promise<{ items: Item[]; next: string | null }> => {
    const { status, body } = await api.get(`/orgs/${of}/audit${query}`);
    expect(status).toBe(200);
    return body as { items: Item[]; next: string | null };
  };
  const actions = async (query: string, api = owner.api, of = oid) =>
    (await list(query, api, of)).items.map(({ action }) => action);
  const past = `to=${at(60).toISOString()}`;

  it('is listed with all that is known, newest first', async () => {
    const { items, next } = await list(`?${past}`);
    expect(items.map(({ action }) => action)).toEqual(['deleteOrg', 'system.cleanup', 'deleteCrawls', 'updateOrg']);
    expect(next).toBeNull();
    expect(items[3]).toEqual({
      ...{ id: expect.any(String), oid, at: '2020-10-01T12:00:01Z', actorKind: 'user', actor: owner.id },
      ...{ actorName: owner.email, key: null, action: 'updateOrg', targetKind: null, target: null },
      ...{ fields: ['name'], changed: [{ field: 'readOnly', before: false, after: true }] },
      ...{ address: '192.0.2.7', requestId: expect.any(String), outcome: 'done', status: 200 },
    });
    // Somebody whose account is gone.
    expect(items[0]).toMatchObject({ actor: expect.any(String), actorName: null });
  });

  it.each([
    ['user', () => `user=${owner.id}`, ['deleteCrawls', 'updateOrg']],
    ['key', () => `key=${key}`, ['deleteCrawls']],
    ['action', () => 'action=system.cleanup', ['system.cleanup']],
    ['target', () => `target=${encodeURIComponent('=1+1')}`, ['deleteCrawls']],
    ['outcome', () => 'outcome=refused', ['deleteOrg']],
    ['time', () => `from=${at(2).toISOString()}&to=${at(4).toISOString()}`, ['system.cleanup', 'deleteCrawls']],
    ['several', () => `user=${owner.id}&action=updateOrg&outcome=done`, ['updateOrg']],
    ['what nobody did', () => `user=${randomUUID()}`, []],
  ])('is narrowed by %s', async (_name, query, expected) => {
    expect(await actions(`?${past}&${query()}`)).toEqual(expected);
  });

  it('goes on by a cursor, also while entries are added', async () => {
    const first = await list(`?pageSize=2&${past}`);
    await storeLines(on, [{ oid, at: at(9), action: 'addedMeanwhile' }]);
    const second = await list(`?pageSize=2&${past}&cursor=${String(first.next)}`);
    expect([...first.items, ...second.items].map(({ action }) => action)).toEqual([
      ...['deleteOrg', 'system.cleanup', 'deleteCrawls', 'updateOrg'],
    ]);
    expect(second.next).toBeNull();
    await on.connection.collection('audit_events').deleteOne({ action: 'addedMeanwhile' });
  });

  it.each(['nonsense', Buffer.from('12.34').toString('base64url')])('refuses the cursor %s', async (cursor) => {
    const { status, body } = await owner.api.get(`/orgs/${oid}/audit?cursor=${cursor}`);
    expect([status, body]).toEqual([400, { detail: 'invalid_cursor' }]);
  });

  it.each(['pageSize=1001', 'pageSize=0', 'outcome=good', 'user=me', 'from=yesterday', 'format=xml'])(
    'refuses %s',
    async (query) => {
      expect((await owner.api.get(`/orgs/${oid}/audit?${query}`)).status).toBe(422);
    },
  );

  it('is for owners, that of all orgs and of none for superusers', async () => {
    const crawler = await aMember(on, oid, 20);
    const stranger = await aMember(on, await anOrg(on), 40);
    expect((await on.api.get(`/orgs/${oid}/audit`)).status).toBe(401);
    expect((await crawler.api.get(`/orgs/${oid}/audit`)).status).toBe(403);
    expect((await stranger.api.get(`/orgs/${oid}/audit`)).status).toBe(404);
    expect((await owner.api.get('/orgs/all/audit')).status).toBe(403);
    expect(await actions(`?${past}`, admin, 'all')).toEqual([
      ...['login', 'deleteOrg', 'system.cleanup', 'deleteCrawls', 'updateOrg'],
    ]);
    expect(await actions(`?${past}&user=${owner.id}`, admin, 'all')).toEqual(['login', 'deleteCrawls', 'updateOrg']);
  });

  describe('as a file', () => {
    const fetched = async (query: string, headers: Record<string, string> = {}) => {
      const url = `${on.baseUrl}/api/orgs/${oid}/audit?${past}${query}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${owner.api.token ?? ''}`, ...headers } });
      return { type: answer.headers.get('content-type'), text: await answer.text(), answer };
    };

    it('has a line of CSV for each entry, in which no cell is a formula', async () => {
      const { type, text, answer } = await fetched('&format=csv');
      expect(type).toBe('text/csv; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="audit-${oid}.csv"`);
      const lines = text.split('\r\n');
      expect(lines).toHaveLength(6);
      expect(lines[0]).toBe(
        '"at","id","oid","actorKind","actor","actorName","key","action","targetKind","target","outcome","status","address","requestId","fields","changed"',
      );
      expect(lines[3]).toContain(`"${owner.email}","${key}","deleteCrawls","crawl","'=1+1","done",200`);
      expect(lines[4]).toContain('"readOnly: false → true"');
    });

    it('has the entries as JSON lines, as the files of closed days have them', async () => {
      const { type, text } = await fetched('&format=jsonl');
      expect(type).toBe('text/jsonl; charset=utf-8');
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Item);
      expect(lines.map(({ action }) => action)).toEqual(['deleteOrg', 'system.cleanup', 'deleteCrawls', 'updateOrg']);
      expect(Object.keys(lines[0] ?? {})).toEqual(Object.keys(lines[0] ?? {}).sort());
    });

    it('is chosen by Accept as well', async () => {
      expect((await fetched('', { accept: 'text/csv' })).type).toContain('text/csv');
      expect((await fetched('', { accept: 'text/jsonl' })).type).toContain('text/jsonl');
      expect((await fetched('')).type).toContain('application/json');
      expect((await fetched('&format=json', { accept: 'text/csv' })).type).toContain('application/json');
    });

    it('has every entry of a range of many pages, and ends with the client', async () => {
      const many = await anOrg(on);
      await on.connection.collection('audit_events').deleteMany({ oid: uuid(many) });
      const size = 30_000;
      await storeLines(
        on,
        Array.from({ length: size }, (_, n) => ({ oid: many, at: at(n % 7), actor: owner.id })),
      );
      const url = `${on.baseUrl}/api/orgs/${many}/audit?format=jsonl`;
      const headers = { authorization: `Bearer ${admin.token ?? ''}` };
      const text = await (await fetch(url, { headers })).text();
      const ids = text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id);
      expect(new Set(ids).size).toBe(size);

      const queries = on.app.get(AuditListQueries, { strict: false });
      const real = queries.page.bind(queries);
      let pages = 0;
      queries.page = (...of) => {
        pages += 1;
        return real(...of);
      };
      const gone = new AbortController();
      const answer = await fetch(url, { headers, signal: gone.signal });
      const reader = answer.body?.getReader();
      await reader?.read();
      gone.abort();
      await expect(reader?.read()).rejects.toThrow();
      let seen = -1;
      await eventually(() => {
        const isStill = seen === pages;
        seen = pages;
        expect(isStill).toBe(true);
      });
      queries.page = real;
      expect(pages).toBeLessThan(31);
    });
  });

  it('opens to keys that may administer the org', async () => {
    const made = await owner.api.post(`/orgs/${oid}/api-keys`, { name: 'auditor', scopes: ['org:admin'] });
    expect(made.status).toBe(200);
    const other = await owner.api.post(`/orgs/${oid}/api-keys`, { name: 'reader', scopes: ['org:read', 'items:read'] });
    expect((await on.api.as(made.body.key as string).get(`/orgs/${oid}/audit`)).status).toBe(200);
    expect((await on.api.as(made.body.key as string).get(`/orgs/${oid}/audit/days`)).status).toBe(200);
    const refused = await on.api.as(other.body.key as string).get(`/orgs/${oid}/audit`);
    expect([refused.status, refused.body]).toEqual([403, { detail: 'api_key_scope_missing' }]);
  });
});

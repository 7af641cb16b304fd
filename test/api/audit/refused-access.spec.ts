import type { ApiClient } from '../../support/api-client.js';
import { logOf } from '../../support/log-of.js';
import { aMember, anOrg, type Member } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('whoever is not let in', () => {
  let under: AppUnderTest;
  let oid: string;
  let viewer: Member;
  let owner: Member;

  beforeAll(async () => {
    under = await startApp({ env: { LOG_LEVEL: 'warn', LOG_FORMAT: 'text' } });
    oid = await anOrg(under);
    viewer = await aMember(under, oid, 10);
    owner = await aMember(under, oid, 40);
  });
  afterAll(() => under?.close());

  /** What a request leaves in the log, with what it was answered. */
  async function refused(by: ApiClient, method: string, path: string): Promise<[status: number, lines: string[]]> {
    let status = 0;
    const log = await logOf(async () => {
      ({ status } = await by.call(method, path, method === 'GET' ? {} : { json: {} }));
    });
    return [status, log.split('\n').filter((line) => line.includes('access_refused'))];
  }

  const line = (fields: object): unknown =>
    expect.stringContaining(
      Object.entries(fields)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(' '),
    );

  it('leaves a line in the log, which says who wanted what', async () => {
    const byOwner = { actor: owner.id, key: null, client: '127.0.0.1' };
    expect(await refused(viewer.api, 'PATCH', `/orgs/${oid}/user-role`)).toEqual([
      403,
      [line({ action: 'changeOrgRole', ...byOwner, actor: viewer.id })],
    ]);
    expect(await refused(owner.api, 'GET', '/orgs/all/audit')).toEqual([403, [line(byOwner)]]);
    expect(await refused(owner.api, 'GET', `/orgs/${await anOrg(under)}`)).toEqual([
      404,
      [line({ status: 404, detail: 'org_not_found', action: 'getOrg', ...byOwner })],
    ]);
  });

  it('is named by the key, without the key', async () => {
    const { body } = await owner.api.post(`/orgs/${oid}/api-keys`, { name: 'k', scopes: ['items:read'] });
    const [status, lines] = await refused(under.api.as(body.key), 'POST', `/orgs/${oid}/collections`);
    const fields = { detail: 'api_key_scope_missing', action: 'createCollection', actor: owner.id, key: body.id };
    expect([status, lines]).toEqual([403, [line(fields)]]);
    expect(lines.join('')).not.toContain(body.key);
  });

  it('is told of with a token that is none, and not without any', async () => {
    const [status, lines] = await refused(under.api.as('not.a.token'), 'GET', `/orgs/${oid}`);
    expect([status, lines]).toEqual([401, [line({ detail: 'invalid_credentials', action: 'getOrg', actor: null })]]);
    expect(lines.join('')).not.toContain('not.a.token');
    expect(await refused(under.api, 'GET', `/orgs/${oid}`)).toEqual([401, []]);
  });
});

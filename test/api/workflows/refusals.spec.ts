import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMember, anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { workflowsOf, type Workflows } from './support.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const SEED = { url: 'https://example.com/' };

let app: AppUnderTest;
let w: Workflows;
let dir: string;

const post = (body: unknown) => w.admin.post(`${w.base}/`, body);
const body = (fields: object = {}, config: object = {}) => ({
  name: 'w',
  config: { seeds: [SEED], ...config },
  ...fields,
});

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'proxies-'));
  const proxies = [
    { id: 'shared', label: 'Shared', url: 'socks5://user:pw@proxy.example:1080', shared: true, country_code: 'de' },
    { id: 'own', label: 'Own', url: 'ssh://proxy.example', ssh_private_key: 'k' },
  ];
  await writeFile(join(dir, 'proxies.json'), JSON.stringify(proxies));
  await writeFile(join(dir, 'update'), '1');
  app = await startApp({
    env: { CRAWLER_PROXIES_JSON: join(dir, 'proxies.json'), CRAWLER_PROXIES_LAST_UPDATE: join(dir, 'update') },
  });
  w = await workflowsOf(app);
});
afterAll(async () => {
  await app.close();
  await rm(dir, { recursive: true, force: true });
});

describe('creating a workflow', () => {
  it.each([
    [body({ crawlerChannel: 'gone' }), 404, 'crawler_not_found'],
    [body({}, { failOnContentCheck: true }), 400, 'fail_on_content_check_requires_profile'],
    [body({ proxyId: 'gone' }), 400, 'proxy_not_found'],
    [body({ proxyId: 'own' }), 400, 'proxy_not_found'],
    [body({}, { exclude: ['ok', '['] }), 400, 'invalid_regex'],
    [body({}, { exclude: '*a' }), 400, 'invalid_regex'],
    [body({}, { selectLinks: [] }), 400, 'invalid_link_selector'],
    [body({}, { selectLinks: ['div[2]->href'] }), 400, 'invalid_link_selector'],
    [body({}, { lang: 'EN' }), 400, 'invalid_lang'],
    [body({}, { customBehaviors: ['mailto:a@b'] }), 400, 'invalid_custom_behavior'],
    [body({}, { seedFileId: UNKNOWN }), 404, 'file_not_found'],
    [body({}, { seeds: [] }), 400, 'use_one_of_seeds_or_seedfile'],
    [body({}, { seeds: null }), 400, 'use_one_of_seeds_or_seedfile'],
    [body({ dedupeCollId: UNKNOWN }), 404, 'collection_not_found'],
    [body({ profileid: UNKNOWN }), 404, 'profile_not_found'],
    // The first failure wins.
    [body({ crawlerChannel: 'gone', proxyId: 'gone' }, { exclude: '[' }), 404, 'crawler_not_found'],
    [body({ proxyId: 'gone' }, { exclude: '[' }), 400, 'proxy_not_found'],
    [body({}, { exclude: '[', selectLinks: [], lang: 'x' }), 400, 'invalid_regex'],
  ])('refuses %j', async (sent, status, detail) => {
    const before = await w.admin.get(w.base, { pageSize: 1 });
    const answer = await post(sent);
    expect([answer.status, answer.body.detail]).toEqual([status, detail]);
    expect((await w.admin.get(w.base, { pageSize: 1 })).body.total).toBe(before.body.total);
  });

  it.each([
    [{ config: { seeds: [SEED] } }, ['body', 'name'], 'missing'],
    [{ name: 'w' }, ['body', 'config'], 'missing'],
    [body({ name: null }), ['body', 'name'], 'string_type'],
    [body({ name: 'n'.repeat(1001) }), ['body', 'name'], 'string_too_long'],
    [body({ description: 'd'.repeat(5001) }), ['body', 'description'], 'string_too_long'],
    [body({ schedule: '* * * *' }), ['body', 'schedule'], 'value_error'],
    [body({ schedule: '@DAILY' }), ['body', 'schedule'], 'value_error'],
    [body({ profileid: 'x' }), ['body', 'profileid'], 'uuid_parsing'],
    [body({ tags: [''] }), ['body', 'tags', 0], 'string_too_short'],
    [body({ tags: ['t'.repeat(81)] }), ['body', 'tags', 0], 'string_too_long'],
    [body({ crawlTimeout: null }), ['body', 'crawlTimeout'], 'int_type'],
    [body({ scale: 0 }), ['body', 'scale'], 'greater_than_equal'],
    [body({ scale: 5 }), ['body', 'scale'], 'less_than_equal'],
    [body({ scale: '1' }), ['body', 'scale'], 'int_type'],
    [body({ browserWindows: 9 }), ['body', 'browserWindows'], 'less_than_equal'],
    [body({ browserWindows: true }), ['body', 'browserWindows'], 'int_type'],
    [body({ crawlFilenameTemplate: '/x' }), ['body', 'crawlFilenameTemplate'], 'value_error'],
    [body({ jobType: 'other' }), ['body', 'jobType'], 'enum'],
    [body({}, { seeds: ['https://a/'] }), ['body', 'config', 'seeds', 0], 'model_attributes_type'],
    [body({}, { seeds: [{ url: 'nonsense' }] }), ['body', 'config', 'seeds', 0, 'url'], 'url_parsing'],
    [body({}, { seeds: [{ url: 'file:///etc/passwd' }] }), ['body', 'config', 'seeds', 0, 'url'], 'url_scheme'],
    [body({}, { scopeType: 'all' }), ['body', 'config', 'scopeType'], 'enum'],
    [body({}, { dedupePagesMinDepth: -2 }), ['body', 'config', 'dedupePagesMinDepth'], 'greater_than_equal'],
    [body({}, { dedupePagesMinDepth: 'all' }), ['body', 'config', 'dedupePagesMinDepth'], 'int_parsing'],
  ])('refuses %j with 422', async (sent, loc, type) => {
    const answer = await post(sent);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0]).toMatchObject({ type, loc });
  });

  it.each([
    ['"browserWindows": 2.0', 422],
    ['"scale":1e0', 422],
    ['"browserWindows": 2, "crawlTimeout": 60.0', 200],
    [String.raw`"browserWindows": 2, "description": "\"browserWindows\": 2.0"`, 200],
  ])('takes integers alone where it is strict: %s', async (fields, status) => {
    const raw = `{"name": "w", "config": {"seeds": [{"url": "${SEED.url}"}]}, ${fields}}`;
    const answer = await w.admin.post(`${w.base}/`, undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.body.detail[0]).toMatchObject({ type: 'int_type', input: expect.any(Number) });
  });

  it('takes every kind of setting in', async () => {
    const cid = await w.create(
      {
        schedule: '@hourly',
        tags: ['a'],
        browserWindows: 3,
        crawlFilenameTemplate: '',
        autoAddCollections: [UNKNOWN],
        profileid: '',
        dedupeCollId: '',
        shareable: true,
        unknownField: 1,
      },
      { include: 'x', exclude: ['(a+)+$'], seeds: [{ url: 'HTTPS://Bücher.example:443/a/../b#f', sitemap: true }] },
    );
    expect(await w.get(cid)).toMatchObject({
      nextRun: '2020-11-21T09:00:00Z',
      browserWindows: 3,
      crawlFilenameTemplate: '',
      autoAddCollections: [UNKNOWN],
      profileid: null,
      shareable: true,
      firstSeed: 'https://xn--bcher-kva.example/b#f',
    });
    expect((await w.admin.get(`${w.base}/${cid}/seeds`)).body.items[0]).toMatchObject({ sitemap: true, depth: null });
  });

  it('reads windows from scale, and has one for a single page', async () => {
    expect((await w.get(await w.create({ scale: 2 }))).browserWindows).toBe(4);
    expect((await w.get(await w.create({ browserWindows: 4 }, { limit: 1 }))).browserWindows).toBe(1);
  });

  it('keeps the workflow when it cannot be run, and says why', async () => {
    await w.setOrg({ readOnly: true });
    const { status, body: answer } = await post(body({ runNow: true }));
    expect([status, answer.errorDetail, answer.run_now_job]).toEqual([200, 'org_set_to_read_only', null]);
    await w.setOrg({ readOnly: false, 'quotas.storageQuota': 1, bytesStored: 5 });
    expect((await post(body({ runNow: true }))).body).toMatchObject({
      errorDetail: 'storage_quota_reached',
      storageQuotaReached: true,
      execMinutesQuotaReached: false,
    });
    expect((await post(body())).body).toMatchObject({ errorDetail: null, storageQuotaReached: true });
    await w.setOrg({ 'quotas.storageQuota': 0, bytesStored: 0 });
    expect((await w.get(answer.id)).crawlAttemptCount).toBe(0);
  });
});

describe('who may do what', () => {
  it('lets viewers read and crawlers write', async () => {
    const cid = await w.create();
    const viewer = (await aMember(app, w.oid, 10)).api;
    const crawler = (await aMember(app, w.oid, 20)).api;
    const refusal = { status: 403, body: { detail: 'User does not have permission to modify crawls' } };
    for (const path of [
      '',
      `/${cid}`,
      `/${cid}/seeds`,
      `/${cid}/revs`,
      '/tags',
      '/tagCounts',
      '/search-values',
      '/running',
    ])
      expect((await viewer.get(`${w.base}${path}`)).status).toBe(200);
    expect(await viewer.post(`${w.base}/`, body())).toMatchObject(refusal);
    expect(await viewer.patch(`${w.base}/${cid}`, { name: 'x' })).toMatchObject(refusal);
    expect(await viewer.delete(`${w.base}/${cid}`)).toMatchObject(refusal);
    expect(await viewer.post(`${w.base}/${cid}/run`)).toMatchObject(refusal);
    expect(await viewer.get(`${w.base}/crawler-channels`)).toMatchObject(refusal);
    expect((await crawler.post(`${w.base}/`, body())).status).toBe(200);
    for (const path of ['crawler-proxies', 'running'])
      expect(await crawler.get(`/orgs/all/crawlconfigs/${path}`)).toMatchObject({
        status: 403,
        body: { detail: 'Not Allowed' },
      });
  });

  it('treats a workflow of another org as unknown', async () => {
    const cid = await w.create();
    const other = `/orgs/${await anOrg(app)}/crawlconfigs/${cid}`;
    const gone = { status: 404, body: { detail: 'crawl_config_not_found' } };
    expect(await w.admin.get(other)).toMatchObject(gone);
    expect(await w.admin.get(`${other}/seeds`)).toMatchObject(gone);
    expect(await w.admin.get(`${other}/revs`)).toMatchObject(gone);
    expect(await w.admin.patch(other, { name: 'x' })).toMatchObject(gone);
    expect(await w.admin.post(`${other}/run`)).toMatchObject(gone);
    expect(await w.admin.delete(other)).toMatchObject(gone);
    expect((await w.get(cid)).name).toBe('w');
  });
});

describe('channels and proxies', () => {
  it('are those of the deployment, as far as the org may use them', async () => {
    expect((await w.admin.get(`${w.base}/crawler-channels`)).body.channels).toMatchObject([{ id: 'default' }]);
    await w.setOrg({ allowSharedProxies: false, allowedProxies: [] });
    expect((await w.admin.get(`${w.base}/crawler-proxies`)).body).toEqual({ default_proxy_id: null, servers: [] });
    await w.setOrg({ allowSharedProxies: true, allowedProxies: ['own'] });
    const { servers } = (await w.admin.get(`${w.base}/crawler-proxies`)).body;
    expect(servers).toEqual([
      {
        id: 'shared',
        label: 'Shared',
        url: 'socks5://proxy.example:1080',
        description: '',
        country_code: 'de',
        has_host_public_key: false,
        has_private_key: false,
        shared: true,
      },
      expect.objectContaining({ id: 'own', has_private_key: true, shared: false }),
    ]);
    expect((await w.get(await w.create({ proxyId: 'own' }))).proxyId).toBe('own');
    await w.setOrg({ allowSharedProxies: false, allowedProxies: [] });
    expect((await w.admin.get('/orgs/all/crawlconfigs/crawler-proxies')).body.servers).toHaveLength(2);
  });
});

describe('a custom behavior', () => {
  it.each([
    ['nonsense', 400, 'invalid_custom_behavior'],
    ['http://127.0.0.1:9/b.js', 404, 'custom_behavior_not_found'],
    ['http://does-not-exist.invalid/b.js', 404, 'custom_behavior_not_found'],
    ['git+http://127.0.0.1:9/repo', 404, 'custom_behavior_not_found'],
    ['git+file://localhost/etc', 404, 'custom_behavior_not_found'],
    ['git+ext://sh/x', 404, 'custom_behavior_not_found'],
  ])('%s is refused', async (customBehavior, status, detail) => {
    const answer = await w.admin.post(`${w.base}/validate/custom-behavior`, { customBehavior });
    expect([answer.status, answer.body.detail]).toEqual([status, detail]);
  });

  it('needs an address', async () => {
    expect((await w.admin.post(`${w.base}/validate/custom-behavior`, {})).status).toBe(422);
  });
});

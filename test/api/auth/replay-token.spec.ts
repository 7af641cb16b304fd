import { CrawlStage } from '../../support/crawl-stage.js';
import { hours } from '../../../src/common/units/durations.js';
import { newId } from '../../../src/common/ids/uuid.js';
import { aMember, anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('a replay token', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let crawlId: string;
  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 1 });
    crawlId = await stage.aCrawl();
    await stage.until(crawlId, 'complete');
  });
  afterAll(() => on?.close());

  const aToken = async (id = crawlId, api = on.admin()) =>
    (await (await api).post('/auth/jwt/replay', { oid: stage.oid, kind: 'item', id })).body.token as string;
  const at = (rest: string) => `/orgs/${stage.oid}/all-crawls/${crawlId}/${rest}`;

  it('reads what the player reads of its item, in the header and in the query', async () => {
    const reader = on.api.as(await aToken());
    const { body } = await reader.get(at('replay.json'));
    expect(body).toMatchObject({ id: crawlId, resources: [{ path: expect.stringContaining('/data/') }] });
    expect((await on.api.get(at('replay.json'), { auth_bearer: await aToken() })).status).toBe(200);
    const pages = new URL(body.pagesQueryUrl as string).pathname.replace(/^\/api/, '');
    expect((await reader.get(pages)).body.items).toHaveLength(2);
  });

  it('opens nothing else, however its owner stands', async () => {
    const reader = on.api.as(await aToken());
    for (const path of ['/users/me', '/orgs', `/orgs/${stage.oid}`, `/orgs/${stage.oid}/all-crawls`, at('download')])
      expect([path, (await reader.get(path)).status]).toEqual([path, 401]);
    for (const [method, path] of [
      ['PATCH', `/orgs/${stage.oid}/all-crawls/${crawlId}`],
      ['POST', `/orgs/${stage.oid}/all-crawls/delete`],
      ['POST', '/auth/jwt/refresh'],
      ['POST', '/auth/jwt/replay'],
    ] as const)
      expect([path, (await reader.call(method, path, { json: {} })).status]).toEqual([path, 401]);
    expect((await reader.get(`/orgs/${stage.oid}/all-crawls/manual-20200101000000-none/replay.json`)).status).toBe(401);
  });

  it('shows a collection and not its items by themselves', async () => {
    const admin = await on.admin();
    const { id } = (await admin.post(`/orgs/${stage.oid}/collections`, { name: 'Shown', crawlIds: [crawlId] })).body;
    const scope = { oid: stage.oid, kind: 'collection', id };
    const reader = on.api.as((await admin.post('/auth/jwt/replay', scope)).body.token as string);
    expect((await reader.get(`/orgs/${stage.oid}/collections/${id}/replay.json`)).status).toBe(200);
    expect((await reader.get(at('replay.json'))).status).toBe(401);
  });

  it('shows nobody what they could not see by themselves', async () => {
    const stranger = await aMember(on, await anOrg(on), 40);
    const reader = on.api.as(await aToken(crawlId, Promise.resolve(stranger.api)));
    expect((await reader.get(at('replay.json'))).status).toBe(404);
  });

  it('is over after four hours', async () => {
    const reader = on.api.as(await aToken());
    on.clock.advance(hours(4) - 1_000);
    expect((await reader.get(at('replay.json'))).status).toBe(200);
    on.clock.advance(2_000);
    expect((await reader.get(at('replay.json'))).status).toBe(401);
  });

  it('is for logins, and says what it is for', async () => {
    const scope = { oid: stage.oid, kind: 'item', id: crawlId };
    expect((await on.api.post('/auth/jwt/replay', scope)).status).toBe(401);
    const admin = await on.admin();
    expect((await admin.post('/auth/jwt/replay', { ...scope, kind: 'org' })).status).toBe(422);
    expect((await admin.post('/auth/jwt/replay', { ...scope, oid: 'x' })).status).toBe(422);
    expect((await admin.post('/auth/jwt/replay', { ...scope, oid: newId() })).status).toBe(200); // opens nothing
  });
});

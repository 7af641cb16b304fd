import { WebSocket } from 'ws';
import { BrowserDriver } from '../../../src/drivers/browser-driver.js';
import type { FakeBrowserDriver } from '../../../src/drivers/fake/fake-browser-driver.js';
import { ProfilesRepository } from '../../../src/profiles/data/profiles.repository.js';
import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { eventually } from '../../support/eventually.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { minutes, seconds } from '../../../src/common/units/durations.js';
import { FileRemover } from '../../../src/objects/file-remover.js';
import { Storages } from '../../../src/storage/storages.js';

let app: AppUnderTest;
let admin: ApiClient;
let oid: string;
let base: string;
let driver: FakeBrowserDriver;

const WAITING = { detail: 'waiting_for_browser' };

const launch = async (extra: object = {}): Promise<string> => {
  const { status, body } = await admin.post(`${base}/browser`, { url: 'https://example.com/login', ...extra });
  expect(status).toBe(200);
  return body.browserid as string;
};

const bytes = async (): Promise<number[]> => {
  const { body } = await admin.get(`/orgs/${oid}`);
  return [body.bytesStoredProfiles, body.bytesStored];
};

/** A profile made from a browser of its own. */
const aProfile = async (fields: object = {}, extra: object = {}): Promise<string> => {
  const browserid = await launch(extra);
  const { body } = await admin.post(base, { browserid, name: 'Login', ...fields });
  return body.id as string;
};

beforeAll(async () => {
  app = await startApp();
  admin = await app.admin();
  oid = await app.defaultOrgId();
  base = `/orgs/${oid}/profiles`;
  driver = app.app.get<FakeBrowserDriver>(BrowserDriver);
});
afterAll(() => app.close());
afterEach(() => {
  driver.startSeconds = 0;
  driver.commitSeconds = 0;
  driver.profileBytes = 1000;
});

describe('a profile browser', () => {
  it('answers that it waits until it is reachable, then tells the origins visited', async () => {
    driver.startSeconds = 5;
    const id = await launch();
    expect(id).toMatch(/^prf-[0-9a-f]{10}$/);
    const path = `${base}/browser/${id}`;
    expect(await admin.post(`${path}/ping`)).toMatchObject({ status: 200, body: WAITING });
    expect(await admin.post(`${path}/navigate`, { url: 'https://x.org' })).toMatchObject({
      status: 200,
      body: WAITING,
    });
    expect(await admin.get(path)).toMatchObject({ status: 200, body: WAITING });
    app.clock.advance(seconds(6));
    expect((await admin.post(`${path}/navigate`, { url: 'https://x.org' })).body).toEqual({ success: true });
    const { body } = await admin.post(`${path}/ping`);
    expect(body).toEqual({ success: true, origins: ['https://x.org/'] });
  });

  it('has a view with the caller as its viewer', async () => {
    const id = await launch();
    const { body } = await admin.get(`${base}/browser/${id}`);
    expect(body).toMatchObject({ oid, auth_bearer: admin.token, scale: 0.75, password: expect.any(String) });
    expect(body.path).toBe(`browser/${id}/ws?oid=${oid}&auth_bearer=${admin.token}`);
    expect(body.url.startsWith(`${app.baseUrl}/browser/${id}/?path=browser%2F${id}`)).toBe(true);
    const page = await fetch(body.url as string, { method: 'HEAD' });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await admin.get(`${base}/browser/${id}/access`)).body).toEqual({});
  });

  it('shows frames to a viewer and takes its input', async () => {
    const id = await launch();
    const { body } = await admin.get(`${base}/browser/${id}`);
    const socket = new WebSocket(`${app.baseUrl.replace('http', 'ws')}/${body.path}`);
    const messages: { msg: string }[] = [];
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data: Buffer) => {
        messages.push(JSON.parse(data.toString()) as { msg: string });
        if (messages.length === 2) resolve();
      });
    });
    expect(messages.map(({ msg }) => msg)).toEqual(['init', 'screencast']);
    socket.send(JSON.stringify({ type: 'text', text: 'hello' }));
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    await eventually(() => expect(driver.inputsOf(id)).toEqual([{ type: 'text', text: 'hello' }]));
    await admin.delete(`${base}/browser/${id}`);
    expect(await closed).toBe(1000);
  });

  it.each([
    ['', 401],
    ['?auth_bearer=nonsense', 401],
    ['?auth_bearer=TOKEN', 404],
    ['?auth_bearer=TOKEN&oid=00000000-0000-4000-8000-000000000000', 404],
  ])('refuses a socket with the query "%s"', async (query, expected) => {
    const id = await launch();
    const address = `${app.baseUrl.replace('http', 'ws')}/browser/${id}/ws${query.replace('TOKEN', admin.token ?? '')}`;
    const status = await new Promise((resolve) => {
      const socket = new WebSocket(address);
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
      socket.on('error', () => undefined);
    });
    expect(status).toBe(expected);
  });

  it('ends half a minute after the last call', async () => {
    const id = await launch();
    app.clock.advance(seconds(29));
    expect((await admin.post(`${base}/browser/${id}/ping`)).status).toBe(200);
    app.clock.advance(seconds(31));
    const gone = { status: 404, body: { detail: 'no_such_browser' } };
    expect(await admin.post(`${base}/browser/${id}/ping`)).toMatchObject(gone);
    expect(await admin.get(`${base}/browser/${id}`)).toMatchObject(gone);
    expect(await admin.get(`${base}/browser/${id}/access`)).toMatchObject(gone);
    expect(await admin.delete(`${base}/browser/${id}`)).toMatchObject(gone);
    expect(await admin.post(base, { browserid: id, name: 'x' })).toMatchObject(gone);
  });

  it.each([
    [{ profileId: '00000000-0000-4000-8000-000000000000' }, 400, 'invalid_base_profile'],
    [{ crawlerChannel: 'gone' }, 404, 'crawler_not_found'],
    [{ proxyId: 'gone' }, 404, 'proxy_not_found'],
  ])('is not launched with %j', async (extra, status, detail) => {
    const answer = await admin.post(`${base}/browser`, { url: 'https://example.com', ...extra });
    expect([answer.status, answer.body.detail]).toEqual([status, detail]);
  });

  it.each([[{}], [{ url: 'ftp://x/' }], [{ url: 'x' }], [{ url: 'https://a/', profileId: 'p' }]])(
    'refuses the launch body %j',
    async (body) => {
      expect((await admin.post(`${base}/browser`, body)).status).toBe(422);
    },
  );
});

describe('a browser id that no browser can have', () => {
  it.each([
    ['POST', '/ping', undefined],
    ['POST', '/navigate', { url: 'https://example.com/' }],
    ['GET', '', undefined],
    ['GET', '/access', undefined],
    ['DELETE', '', undefined],
  ])('is refused with its place by %s …/browser/{id}%s', async (method, suffix, body) => {
    for (const id of [
      'nonsense',
      'prf-xyz',
      'prf-0123456789a',
      'PRF-0123456789',
      '00000000-0000-4000-8000-000000000000',
    ]) {
      const answer = await admin.call(method, `${base}/browser/${id}${suffix}`, { json: body });
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'browserid'], input: id }] } });
    }
    const unknown = await admin.call(method, `${base}/browser/prf-0123456789${suffix}`, { json: body });
    expect(unknown).toMatchObject({ status: 404, body: { detail: 'no_such_browser' } });
  });
});

describe('saving a profile', () => {
  it('answers that it waits until it is saved, and counts its bytes once', async () => {
    driver.commitSeconds = 4;
    const [profiles, total] = await bytes();
    const browserid = await launch();
    const body = { browserid, name: 'My login', description: 'd', tags: ['b', 'a'] };
    expect((await admin.post(base, body)).body).toEqual(WAITING);
    app.clock.advance(seconds(5));
    const made = await admin.post(base, body);
    expect(made.body).toEqual({ added: true, id: expect.any(String), storageQuotaReached: false });
    // The answer was lost, the client asks again.
    expect((await admin.post(base, body)).body).toEqual(made.body);
    expect(await bytes()).toEqual([(profiles as number) + 1000, (total as number) + 1000]);
    const { body: profile } = await admin.get(`${base}/${made.body.id}`);
    expect(profile).toMatchObject({
      name: 'My login',
      description: 'd',
      tags: ['b', 'a'],
      origins: ['https://example.com'],
      inUse: false,
      baseid: null,
      crawlerChannel: 'default',
      resource: { filename: `${oid}/profiles/profile-${made.body.id}.tar.gz`, size: 1000 },
    });
    expect(await driver.find(browserid)).toBeNull();
  });

  it('of concurrent calls makes one profile', async () => {
    const [profiles] = await bytes();
    const browserid = await launch();
    const calls = Array.from({ length: 4 }, () => admin.post(base, { browserid, name: 'Once' }));
    const answers = (await Promise.all(calls)).filter(({ status }) => status === 200);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await bytes())[0]).toBe((profiles as number) + 1000);
  });

  it('into an existing one keeps what was known when the browser started from it', async () => {
    const id = await aProfile({ description: 'kept', tags: ['kept'] });
    const [profiles] = await bytes();
    driver.profileBytes = 1500;
    const browserid = await launch({ profileId: id, url: 'https://other.org/' });
    expect((await admin.post(`${base}/browser/${browserid}/ping`)).body.origins).toEqual([
      'https://example.com/',
      'https://other.org/',
    ]);
    const body = { browserid, name: 'New name', description: '', tags: [] };
    expect((await admin.patch(`${base}/${id}`, body)).body).toEqual({ updated: true });
    expect((await admin.patch(`${base}/${id}`, body)).body).toEqual({ updated: true });
    expect((await bytes())[0]).toBe((profiles as number) + 500);
    expect((await admin.get(`${base}/${id}`)).body).toMatchObject({
      name: 'New name',
      description: 'kept',
      tags: ['kept'],
      origins: ['https://example.com', 'https://other.org'],
      baseid: id,
      resource: { size: 1500 },
    });
  });

  it('into an existing one from another browser replaces the origins', async () => {
    const id = await aProfile();
    const browserid = await launch({ url: 'https://other.org/' });
    await admin.patch(`${base}/${id}`, { browserid, name: 'x' });
    expect((await admin.get(`${base}/${id}`)).body).toMatchObject({ origins: ['https://other.org'], baseid: null });
  });

  it('into one that the reference has written keeps its origins as they are written there, each once', async () => {
    const id = await aProfile();
    const profiles = app.app.get(ProfilesRepository);
    const written = ['https://old.example', 'https://slash.example/', 'https://Named.example:8443'];
    await profiles.set(oid, id, { origins: written });
    expect((await admin.get(`${base}/${id}`)).body.origins).toEqual(written);
    const browserid = await launch({ profileId: id, url: 'https://slash.example/login' });
    expect((await admin.post(`${base}/browser/${browserid}/ping`)).body.origins).toEqual([
      'https://old.example/',
      'https://slash.example/',
      'https://named.example:8443/',
    ]);
    await admin.patch(`${base}/${id}`, { browserid, name: 'x' });
    expect((await admin.get(`${base}/${id}`)).body.origins).toEqual(written);
  });
});

describe('a saved profile', () => {
  it('keeps what a change of its description leaves out', async () => {
    const id = await aProfile({ description: 'd', tags: ['t'] });
    expect((await admin.patch(`${base}/${id}`, { name: 'Renamed' })).body).toEqual({ updated: true });
    expect((await admin.get(`${base}/${id}`)).body).toMatchObject({ name: 'Renamed', description: 'd', tags: ['t'] });
    await admin.patch(`${base}/${id}`, { name: 'Renamed', description: '', tags: [] });
    expect((await admin.get(`${base}/${id}`)).body).toMatchObject({ description: '', tags: [] });
  });

  it('is not deleted while a workflow uses it, then takes its bytes along', async () => {
    const id = await aProfile();
    const workflow = { name: 'w', profileid: id, config: { seeds: [{ url: 'https://example.com/' }] } };
    const { body: added } = await admin.post(`/orgs/${oid}/crawlconfigs/`, workflow);
    expect((await admin.get(`${base}/${id}`)).body.inUse).toBe(true);
    const refused = await admin.delete(`${base}/${id}`);
    expect([refused.status, refused.body.detail]).toEqual([400, 'profile_in_use']);
    await admin.delete(`/orgs/${oid}/crawlconfigs/${added.id}`);
    const [profiles] = await bytes();
    expect((await admin.delete(`${base}/${id}`)).body).toEqual({ success: true, storageQuotaReached: false });
    expect((await bytes())[0]).toBe((profiles as number) - 1000);
    const gone = { status: 404, body: { detail: 'profile_not_found' } };
    expect(await admin.get(`${base}/${id}`)).toMatchObject(gone);
    expect(await admin.delete(`${base}/${id}`)).toMatchObject(gone);
    expect(await admin.patch(`${base}/${id}`, { name: 'x' })).toMatchObject(gone);
  });

  it('that a crawl has saved anew is known as that copy, and by that crawl', async () => {
    const stage = await CrawlStage.of(app);
    stage.driver.script({ pagesPerSeed: 5, pageSeconds: 5 });
    const id = await aProfile();
    const before = (await admin.get(`${base}/${id}`)).body;
    const [profiles, all] = await bytes();
    const crawlId = await stage.aCrawl({ profileid: id });
    await stage.until(crawlId, 'running');
    const job = stage.driver.run(crawlId);
    expect(job?.jobSpec.profile).toEqual({ key: `profiles/profile-${id}.tar.gz`, save: true });
    const hash = 'ab'.repeat(32);
    if (job) job.profileUpload = { size: 1500, hash, modified: '2020-11-21T09:10:11.500Z' };
    const { cid, fileSize } = await stage.until(crawlId, 'complete');
    const after = (await admin.get(`${base}/${id}`)).body;
    expect(after).toEqual({
      ...before,
      inUse: true,
      resource: { ...before.resource, hash, size: 1500 },
      modifiedCrawlDate: expect.stringMatching(/^2020-11-21T09:10:11/),
      modifiedCrawlId: crawlId,
      modifiedCrawlCid: cid,
    });
    expect(await bytes()).toEqual([(profiles as number) + 500, (all as number) + 500 + fileSize]);

    const canceled = await stage.aCrawl({ profileid: id });
    await stage.until(canceled, 'running');
    const next = stage.driver.run(canceled);
    if (next) next.profileUpload = { size: 1200, hash, modified: '2020-11-21T10:10:11.500Z' };
    await admin.post(`/orgs/${oid}/crawls/${canceled}/cancel`);
    await stage.until(canceled, 'canceled');
    expect((await admin.get(`${base}/${id}`)).body).toMatchObject({
      resource: { size: 1200 },
      modifiedCrawlId: canceled,
    });
    expect((await bytes())[0]).toBe((profiles as number) + 200);
  });

  it('that a crawl saves anew when it is deleted leaves nothing', async () => {
    const stage = await CrawlStage.of(app);
    stage.driver.script({ pagesPerSeed: 5, pageSeconds: 5 });
    const id = await aProfile();
    const crawlId = await stage.aCrawl({ profileid: id });
    await stage.until(crawlId, 'running');
    const { cid } = await stage.item(crawlId);
    expect((await admin.patch(`/orgs/${oid}/crawlconfigs/${cid}/`, { profileid: '' })).status).toBe(200);
    expect((await admin.delete(`${base}/${id}`)).status).toBe(200);
    // Long ago, by the time that the crawl saves it.
    app.clock.advance(minutes(10));
    await app.app.get(FileRemover, { strict: false }).drain();
    const key = `${oid}/profiles/profile-${id}.tar.gz`;
    const store = app.app.get(Storages, { strict: false }).resolveDefault({ name: 'default', custom: false });
    await store.put(key, Buffer.from('saved'));
    const job = stage.driver.run(crawlId);
    if (job) job.profileUpload = { size: 5, hash: 'ab'.repeat(32), modified: '2020-11-21T09:10:11.500Z' };
    await stage.until(crawlId, 'complete');
    await app.app.get(FileRemover, { strict: false }).drain();
    expect(await store.exists(key)).toBe(false);
  });

  it('is listed by name, tags and maker, in the order asked for', async () => {
    const [first, second] = [
      await aProfile({ name: 'Zoë', tags: ['one', 'two'] }),
      await aProfile({ name: 'anna', tags: ['one'] }),
    ];
    const ids = async (query: Record<string, string>) =>
      ((await admin.get(base, query)).body.items as { id: string }[]).map(({ id }) => id);
    expect(await ids({ name: 'zoe' })).toEqual([first]);
    expect(await ids({ tags: 'ONE', sortBy: 'name', sortDirection: '1' })).toEqual([second, first]);
    expect((await admin.get(base, { tags: ['one', 'two'] })).body.total).toBe(1);
    expect((await admin.get(base, { tags: ['one', 'two'], tagMatch: 'or' })).body.total).toBe(2);
    expect((await admin.get(base, { userid: '00000000-0000-4000-8000-000000000000' })).body.total).toBe(0);
    expect((await admin.get(`${base}/search-values`)).body.names).toEqual(expect.arrayContaining(['Zoë', 'anna']));
    expect((await admin.get(`${base}/tagCounts`)).body.tags[0]).toEqual({ tag: 'one', count: 2 });
    expect((await admin.get(base, { sortBy: 'size' })).body.detail).toBe('invalid_sort_by');
    expect((await admin.get(base, { sortDirection: '2' })).body.detail).toBe('invalid_sort_direction');
  });
});

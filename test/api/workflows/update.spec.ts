import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { newId } from '../../../src/common/ids/uuid.js';
import { seconds } from '../../../src/common/units/durations.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { workflowsOf, type Workflows } from './support.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let app: AppUnderTest;
let w: Workflows;

const patch = (cid: string, body: object) => w.admin.patch(`${w.base}/${cid}`, body);
const revs = async (cid: string) => (await w.admin.get(`${w.base}/${cid}/revs`)).body;

/** A profile with a file, made from a browser. */
async function aProfile(): Promise<string> {
  const base = `/orgs/${w.oid}/profiles`;
  const { body } = await w.admin.post(`${base}/browser`, { url: 'https://example.com/' });
  return (await w.admin.post(base, { browserid: body.browserid, name: 'p' })).body.id as string;
}

beforeAll(async () => {
  app = await startApp();
  w = await workflowsOf(app);
});
afterAll(() => app.close());

describe('a change of settings', () => {
  it('keeps the former settings as a revision, and the same again changes nothing', async () => {
    const cid = await w.create();
    app.clock.advance(seconds(10));
    const first = await patch(cid, { config: { lang: 'de' }, crawlTimeout: 60 });
    expect(first.body).toEqual({
      updated: true,
      settings_changed: true,
      metadata_changed: false,
      updatedRunning: false,
      storageQuotaReached: false,
      execMinutesQuotaReached: false,
      started: null,
    });
    expect((await patch(cid, { config: { lang: 'de' }, crawlTimeout: 60 })).body).toMatchObject({
      settings_changed: false,
      metadata_changed: false,
    });
    expect(await w.get(cid)).toMatchObject({ rev: 1, crawlTimeout: 60, config: { lang: 'de', scopeType: 'prefix' } });
    expect(await revs(cid)).toMatchObject({
      total: 1,
      items: [{ rev: 0, crawlTimeout: 0, config: { lang: null, seeds: [{ url: 'https://example.com/' }] } }],
    });
  });

  it('five times makes five revisions, the lowest with the first config', async () => {
    const cid = await w.create();
    for (const body of [
      { config: { limit: 7 } },
      { crawlTimeout: 60 },
      { maxCrawlSize: 1000 },
      { browserWindows: 1 },
      { scale: 1 },
    ])
      expect((await patch(cid, body)).body.settings_changed).toBe(true);
    const { total, items } = await revs(cid);
    expect(total).toBe(5);
    expect(items.map(({ rev }: { rev: number }) => rev)).toEqual([0, 1, 2, 3, 4]);
    expect(items[0].config.limit).toBe(0);
    expect((await w.get(cid)).browserWindows).toBe(2);
  });

  it('of metadata makes none, but counts as revision number', async () => {
    const cid = await w.create();
    expect((await patch(cid, { name: 'New', tags: ['b', 'a'] })).body).toMatchObject({
      settings_changed: false,
      metadata_changed: true,
    });
    expect((await patch(cid, { tags: ['b', 'a'] })).body.metadata_changed).toBe(false);
    expect((await patch(cid, { tags: ['a', 'b'] })).body.metadata_changed).toBe(true);
    expect(await w.get(cid)).toMatchObject({ rev: 2, name: 'New', tags: ['a', 'b'] });
    expect((await revs(cid)).total).toBe(0);
  });

  it('by several at once loses none', async () => {
    const cid = await w.create();
    const limits = [1, 2, 3, 4];
    const answers = await Promise.all(limits.map((limit) => patch(cid, { config: { depth: limit } })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { items } = await revs(cid);
    expect(items.map(({ rev }: { rev: number }) => rev)).toEqual([0, 1, 2, 3]);
    expect((await w.get(cid)).rev).toBe(4);
  });

  it('writes nulls of name and description only along with something else', async () => {
    const cid = await w.create({ description: 'd' });
    expect((await patch(cid, { name: null })).body.metadata_changed).toBe(false);
    expect((await w.get(cid)).name).toBe('w');
    await patch(cid, { tags: ['x'], name: null, description: null });
    expect(await w.get(cid)).toMatchObject({ name: null, description: null });
  });

  it.each([
    ['schedule'],
    ['crawlerChannel'],
    ['crawlTimeout'],
    ['maxCrawlSize'],
    ['browserWindows'],
    ['shareable'],
    ['config'],
    ['tags'],
    ['autoAddCollections'],
    ['crawlFilenameTemplate'],
  ])('leaves %s alone when it is null', async (field) => {
    const cid = await w.create({ schedule: '0 0 * * *', tags: ['t'], crawlFilenameTemplate: '@id.wacz' });
    const before = await w.get(cid);
    expect((await patch(cid, { [field]: null })).body).toMatchObject({
      settings_changed: false,
      metadata_changed: false,
    });
    expect(await w.get(cid)).toEqual(before);
  });

  it('shows the next firing of a new schedule and none of a removed one', async () => {
    const cid = await w.create();
    await patch(cid, { schedule: '0 12 * * *' });
    expect((await w.get(cid)).nextRun).toBe('2020-11-21T12:00:00Z');
    await patch(cid, { schedule: '' });
    expect(await w.get(cid)).toMatchObject({ nextRun: null, schedule: '' });
  });
});

describe('profileid, as the seed has it', () => {
  it('is set by an id, left by null and absence, removed by an empty text', async () => {
    const profileid = await aProfile();
    const cid = await w.create();
    expect((await patch(cid, { profileid })).body.settings_changed).toBe(true);
    expect((await patch(cid, { profileid: null, crawlTimeout: 5 })).body.settings_changed).toBe(true);
    expect((await patch(cid, { crawlTimeout: 6 })).body.settings_changed).toBe(true);
    expect(await w.get(cid)).toMatchObject({ profileid, profileName: 'p' });
    expect((await patch(cid, { profileid: '' })).body.settings_changed).toBe(true);
    expect(await w.get(cid)).toMatchObject({ profileid: null, profileName: null });
    expect((await patch(cid, { profileid: '' })).body.settings_changed).toBe(false);
  });

  it('brings its proxy, so that a proxy stored beside it by an older version is no change of settings', async () => {
    const cid = await w.create({ profileid: await aProfile() });
    const stored = await app.connection
      .collection('crawl_configs')
      .updateOne({ rev: 0, profileid: { $ne: null } }, { $set: { proxyId: 'old' } });
    expect(stored.matchedCount).toBe(1);
    expect((await patch(cid, { name: 'renamed' })).body).toMatchObject({
      settings_changed: false,
      metadata_changed: true,
    });
    expect((await revs(cid)).total).toBe(0);
  });

  it('is needed by the content check, unless both go at once', async () => {
    const profileid = await aProfile();
    const refusal = { status: 400, body: { detail: 'fail_on_content_check_requires_profile' } };
    const plain = await w.create();
    expect(await patch(plain, { config: { failOnContentCheck: true } })).toMatchObject(refusal);
    const cid = await w.create({ profileid }, { failOnContentCheck: true });
    expect(await patch(cid, { profileid: '' })).toMatchObject(refusal);
    expect((await patch(cid, { profileid: '', config: { failOnContentCheck: false } })).status).toBe(200);
  });
});

describe('start addresses', () => {
  const aFile = async (text: string): Promise<string> => {
    const path = `/orgs/${w.oid}/files/seedFile`;
    const answer = await w.admin.call('PUT', path, { query: { filename: 'seeds.txt' }, raw: text });
    return answer.body.id as string;
  };

  it('follow the list, or the file, never both', async () => {
    const cid = await w.create();
    await patch(cid, { config: { seeds: [{ url: 'https://A.org' }, { url: 'https://b.org/' }] } });
    expect(await w.get(cid)).toMatchObject({ firstSeed: 'https://a.org/', seedCount: 2 });
    const seedFileId = await aFile('https://c.org\nhttps://d.org\nhttps://e.org');
    const both = await patch(cid, { config: { seedFileId, seeds: [{ url: 'https://a.org/' }] } });
    expect([both.status, both.body.detail]).toEqual([400, 'use_one_of_seeds_or_seedfile']);
    await patch(cid, { config: { seedFileId, seeds: null } });
    expect(await w.get(cid)).toMatchObject({
      firstSeed: 'https://c.org',
      seedCount: 3,
      config: { seedFileId, scopeType: 'page' },
    });
    expect((await w.admin.get(`${w.base}/${cid}/seeds`)).body).toMatchObject({ total: 0, items: [] });
    const held = await w.admin.delete(`/orgs/${w.oid}/files/${seedFileId}`);
    expect([held.status, held.body.detail]).toEqual([400, 'seed_file_in_use']);
    await patch(cid, { config: { seeds: [{ url: 'https://f.org/' }], seedFileId: null } });
    expect(await w.get(cid)).toMatchObject({ firstSeed: 'https://f.org/', seedCount: 1, config: { seedFileId: null } });
    // Nothing refers to the seed file any more, so it was deleted.
    expect((await w.admin.get(`/orgs/${w.oid}/files/${seedFileId}`)).status).toBe(404);
  });

  it('are left when a config as it was read comes back', async () => {
    const cid = await w.create();
    const { config } = await w.get(cid);
    expect((await patch(cid, { config })).body.settings_changed).toBe(false);
    expect((await w.admin.get(`${w.base}/${cid}/seeds`)).body.total).toBe(1);
  });

  it('of a single page mean one window', async () => {
    const cid = await w.create();
    expect((await w.get(cid)).browserWindows).toBe(2);
    await patch(cid, { config: { scopeType: 'page' } });
    expect((await w.get(cid)).browserWindows).toBe(1);
    await patch(cid, { browserWindows: 4 });
    expect((await w.get(cid)).browserWindows).toBe(1);
  });
});

describe('a dedupe index', () => {
  const collection = async () => {
    const name = `Index ${newId()}`;
    return (await w.admin.post(`/orgs/${w.oid}/collections`, { name })).body.id as string;
  };

  it('is taken on by a change, with its collection, and sent again is no change', async () => {
    const dedupeCollId = await collection();
    const cid = await w.create();
    const changed = { settings_changed: false, metadata_changed: true };
    expect((await patch(cid, { dedupeCollId })).body).toMatchObject(changed);
    expect(await w.get(cid)).toMatchObject({ dedupeCollId, autoAddCollections: [dedupeCollId] });
    const again = await patch(cid, { dedupeCollId });
    expect(again.body).toMatchObject({ settings_changed: false, metadata_changed: false });
  });

  it('of a database taken over stays with its workflow, which changes in all else, and can be dropped', async () => {
    const [cid, dedupeCollId] = [await w.create(), await collection()];
    await app.connection
      .collection('crawl_configs')
      .updateOne({ _id: uuid(cid) as never }, { $set: { dedupeCollId: uuid(dedupeCollId) } });
    for (const change of [{ name: 'renamed' }, { description: 'd', dedupeCollId }])
      expect((await patch(cid, change)).status).toBe(200);
    expect(await w.get(cid)).toMatchObject({ name: 'renamed', description: 'd', dedupeCollId });
    expect((await patch(cid, { dedupeCollId: '' })).status).toBe(200);
    expect((await w.get(cid)).dedupeCollId).toBeNull();
  });
});

describe('the depth from which pages that have not changed are skipped', () => {
  const depthOf = async (cid: string) => (await w.get(cid)).config.dedupePagesMinDepth;
  const changes = async (cid: string, dedupePagesMinDepth: number | null) =>
    (await patch(cid, { config: { dedupePagesMinDepth } })).body.settings_changed;

  it('is a setting, and absent where nobody gave one', async () => {
    const cid = await w.create();
    expect(await depthOf(cid)).toBeUndefined();
    for (const depth of [0, 3, -1, null]) {
      expect(await changes(cid, depth)).toBe(true);
      expect(await depthOf(cid)).toBe(depth ?? undefined);
    }
  });

  it('is absent in older workflows, which to say does not change', async () => {
    const cid = await w.create();
    await app.connection
      .collection('crawl_configs')
      .updateOne({ _id: uuid(cid) as never }, { $unset: { 'config.dedupePagesMinDepth': 1 } });
    expect(await depthOf(cid)).toBeUndefined();
    expect(await changes(cid, null)).toBe(false);
    expect(await changes(cid, 2)).toBe(true);
  });
});

describe('what a change refuses', () => {
  it.each([
    [{ config: { exclude: ['('] } }, 400, 'invalid_regex'],
    [{ config: { selectLinks: [] } }, 400, 'invalid_link_selector'],
    [{ config: { selectLinks: ['a'] } }, 400, 'invalid_link_selector'],
    [{ config: { customBehaviors: ['x'] } }, 400, 'invalid_custom_behavior'],
    [{ config: { lang: 'xx' } }, 400, 'invalid_lang'],
    [{ config: { seeds: [] } }, 400, 'use_one_of_seeds_or_seedfile'],
    [{ config: { seedFileId: UNKNOWN } }, 404, 'file_not_found'],
    [{ profileid: UNKNOWN }, 404, 'profile_not_found'],
    [{ proxyId: 'gone' }, 400, 'proxy_not_found'],
    [{ crawlerChannel: 'gone' }, 404, 'crawler_not_found'],
    [{ crawlerChannel: '' }, 404, 'crawler_not_found'],
    [{ dedupeCollId: UNKNOWN }, 404, 'collection_not_found'],
  ])('%j', async (body, status, detail) => {
    const cid = await w.create();
    const before = await w.get(cid);
    const answer = await patch(cid, body);
    expect([answer.status, answer.body.detail]).toEqual([status, detail]);
    expect(await w.get(cid)).toEqual(before);
  });

  it.each([
    [{ schedule: '* * * *' }, 'schedule'],
    [{ browserWindows: 9 }, 'browserWindows'],
    [{ browserWindows: 0 }, 'browserWindows'],
    [{ browserWindows: '2' }, 'browserWindows'],
    [{ scale: 5 }, 'scale'],
    [{ crawlFilenameTemplate: '../x' }, 'crawlFilenameTemplate'],
    [{ profileid: 'x' }, 'profileid'],
    [{ tags: [''] }, 'tags'],
    [{ name: 'n'.repeat(1001) }, 'name'],
    [{ config: { seeds: ['https://a/'] } }, 'config'],
    [{ config: { seeds: [{ url: 'ftp://a/' }] } }, 'config'],
    [{ config: { scopeType: 'all' } }, 'config'],
  ])('%j with 422', async (body, field) => {
    const cid = await w.create();
    const answer = await patch(cid, body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc.slice(0, 2)).toEqual(['body', field]);
  });

  it('anything of an unknown workflow', async () => {
    expect(await patch(UNKNOWN, { name: 'x' })).toMatchObject({
      status: 404,
      body: { detail: 'crawl_config_not_found' },
    });
    expect((await patch('nonsense', { name: 'x' })).status).toBe(422);
  });
});

describe('two people who change one workflow', () => {
  const tagOf = async (cid: string) => (await w.admin.get(`${w.base}/${cid}`)).headers.get('etag') ?? '';
  const patchIf = (cid: string, tag: string, json: object) =>
    w.admin.call('PATCH', `${w.base}/${cid}`, { json, headers: { 'if-match': tag } });
  const refused = { status: 412, body: { detail: 'workflow_not_as_expected' } };

  it('change it one after the other: who read it before is refused, and nothing changes', async () => {
    const cid = await w.create();
    const read = await tagOf(cid);
    expect(await patchIf(cid, read, { name: 'first' })).toMatchObject({ status: 200 });
    expect(await patchIf(cid, read, { name: 'second', config: { limit: 3 } })).toMatchObject(refused);
    expect(await patchIf(cid, read, { name: 'first' })).toMatchObject(refused);
    expect(await patchIf(cid, '"of something else"', { name: 'second' })).toMatchObject(refused);
    expect(await w.get(cid)).toMatchObject({ name: 'first', rev: 1, config: { limit: 0 } });
    expect((await patch(cid, { name: 'asks for nothing' })).status).toBe(200);
    expect((await patchIf(cid, '*', { name: 'whatever it is' })).status).toBe(200);
    expect((await patchIf(cid, `"x", W/${await tagOf(cid)}`, { name: 'third' })).status).toBe(200);
    expect((await patchIf(newId(), '*', { name: 'x' })).body).toEqual({ detail: 'crawl_config_not_found' });
  });

  it('change it in the same moment: one is stored', async () => {
    const cid = await w.create();
    const read = await tagOf(cid);
    const answers = await Promise.all([1, 2, 3, 4, 5].map((limit) => patchIf(cid, read, { config: { limit } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
    expect(await w.get(cid)).toMatchObject({
      rev: 1,
      config: { limit: answers.findIndex((a) => a.status === 200) + 1 },
    });
  });

  it('are not refused for what crawls changed, which a kept answer still lacks', async () => {
    const cid = await w.create();
    const read = await tagOf(cid);
    const again = () => w.admin.call('GET', `${w.base}/${cid}`, { headers: { 'if-none-match': read } });
    expect((await again()).status).toBe(304);
    await app.connection
      .collection('crawl_configs')
      .updateOne({ _id: uuid(cid) as never }, { $inc: { crawlCount: 1 } });
    expect((await again()).status).toBe(200);
    expect((await patchIf(cid, read, { name: 'changed' })).status).toBe(200);
  });
});

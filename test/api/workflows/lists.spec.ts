import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { seconds } from '../../../src/common/units/durations.js';
import { workflowsOf, type Workflows } from './support.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let app: AppUnderTest;
let w: Workflows;
let zoe: string;
let anna: string;
let ben: string;

const names = async (query: Record<string, string | string[] | boolean> = {}): Promise<string[]> =>
  ((await w.admin.get(w.base, query)).body.items as { name: string }[]).map(({ name }) => name);

beforeAll(async () => {
  app = await startApp();
  w = await workflowsOf(app);
  zoe = await w.create(
    { name: 'Zoë', description: 'Été', tags: ['One', 'two'], schedule: '0 0 * * *' },
    { seeds: [{ url: 'https://b.org/' }] },
  );
  app.clock.advance(seconds(10));
  anna = await w.create({ name: 'anna', tags: ['one'] }, { seeds: [{ url: 'https://c.org/' }] });
  app.clock.advance(seconds(10));
  ben = await w.create({ name: 'Ben' }, { seeds: [{ url: 'https://a.org/x y' }] });
  app.clock.advance(seconds(10));
});
afterAll(() => app.close());

describe('the list of workflows', () => {
  it('has the natural order and no configs', async () => {
    const { body } = await w.admin.get(w.base);
    expect(body).toMatchObject({ total: 3, page: 1, pageSize: 1000 });
    expect(body.items.map(({ name, config }: { name: string; config: unknown }) => [name, config])).toEqual([
      ['Zoë', null],
      ['anna', null],
      ['Ben', null],
    ]);
  });

  it('is not sent again to a client that has it, until it changes', async () => {
    const first = await w.admin.get(w.base);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const known = { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } };
    const again = await w.admin.call('GET', w.base, known);
    expect([again.status, again.body]).toEqual([304, '']);
    await w.admin.patch(`${w.base}/${ben}`, { description: 'Another' });
    expect((await w.admin.call('GET', w.base, known)).status).toBe(200);
    await w.admin.patch(`${w.base}/${ben}`, { description: '' });
    expect((await w.admin.call('GET', `${w.base}/nonsense`, known)).status).toBe(422);
  });

  it.each([
    [{ sortBy: 'name', sortDirection: '1' }, ['anna', 'Ben', 'Zoë']],
    [{ sortBy: 'name' }, ['Zoë', 'Ben', 'anna']],
    [{ sortBy: 'firstSeed', sortDirection: '1' }, ['Ben', 'Zoë', 'anna']],
    [{ sortBy: 'created' }, ['Ben', 'anna', 'Zoë']],
    [{ sortBy: 'modified', sortDirection: '1' }, ['Zoë', 'anna', 'Ben']],
    [{ sortBy: '' }, ['Zoë', 'anna', 'Ben']],
    [{ name: 'ZOE' }, ['Zoë']],
    [{ name: 'Zo' }, []],
    [{ description: 'ete' }, ['Zoë']],
    [{ firstSeed: 'https://C.org/' }, ['anna']],
    [{ firstSeed: 'https%3A%2F%2Fc.org%2F' }, ['anna']],
    [{ tags: 'one' }, ['Zoë', 'anna']],
    [{ tag: 'one' }, ['Zoë', 'anna']],
    [{ tags: ['ONE', 'two'] }, ['Zoë']],
    [{ tags: ['one', 'two'], tagMatch: 'or' }, ['Zoë', 'anna']],
    [{ tags: ['two'], tag: ['one'] }, ['Zoë']],
    [{ schedule: 'true' }, ['Zoë']],
    [{ schedule: 'no' }, ['anna', 'Ben']],
    [{ isCrawlRunning: 'true' }, []],
    [{ isCrawlRunning: '0' }, ['Zoë', 'anna', 'Ben']],
    [{ userid: UNKNOWN }, []],
    [{ modifiedBy: UNKNOWN }, []],
    [{ profileIds: `${UNKNOWN},${UNKNOWN}` }, []],
    [{ dedupeCollId: UNKNOWN }, []],
    [{ lastCrawlState: 'complete,failed' }, []],
    [{ pageSize: '2', page: '2' }, ['Ben']],
  ])('with %j is %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    [{ sortBy: 'size' }, 400, 'invalid_sort_by'],
    [{ sortBy: 'name', sortDirection: '0' }, 400, 'invalid_sort_direction'],
  ])('refuses %j', async (query, status, detail) => {
    const answer = await w.admin.get(w.base, query);
    expect([answer.status, answer.body.detail]).toEqual([status, detail]);
  });

  it.each([
    [{ page: '0' }, 'page'],
    [{ pageSize: '0' }, 'pageSize'],
    [{ tagMatch: 'xor' }, 'tagMatch'],
    [{ lastCrawlState: 'nonsense' }, 'lastCrawlState'],
    [{ userid: 'x' }, 'userid'],
    [{ profileIds: 'x' }, 'profileIds'],
    [{ schedule: 'maybe' }, 'schedule'],
    [{ isCrawlRunning: '' }, 'isCrawlRunning'],
  ])('refuses %j with 422', async (query, field) => {
    const answer = await w.admin.get(w.base, query);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc.slice(0, 2)).toEqual(['query', field]);
  });

  it('puts running workflows first when sorted by last run, and filters by live state', async () => {
    const { body } = await w.admin.post(`${w.base}/${anna}/run`);
    expect(await names({ sortBy: 'lastRun' })).toEqual(['anna', 'Ben', 'Zoë']);
    expect(await names({ isCrawlRunning: 'true' })).toEqual(['anna']);
    expect(await names({ lastCrawlState: ['starting', 'running'] })).toEqual(['anna']);
    const { items } = (await w.admin.get(w.base, { name: 'anna' })).body;
    expect(items[0]).toMatchObject({ lastCrawlId: body.started, lastCrawlState: 'starting', isCrawlRunning: true });
  });
});

describe('what the list can be searched by', () => {
  it('is every distinct text of active workflows', async () => {
    const { body } = await w.admin.get(`${w.base}/search-values`);
    expect(body).toMatchObject({
      names: ['Ben', 'Zoë', 'anna'],
      descriptions: ['Été'],
      firstSeeds: ['https://a.org/x%20y', 'https://b.org/', 'https://c.org/'],
    });
    expect([...body.workflowIds].sort()).toEqual([zoe, anna, ben].sort());
    expect((await w.admin.get(`${w.base}/search-values`, { profileIds: UNKNOWN })).body.workflowIds).toEqual([]);
  });

  it('is every tag, most used first', async () => {
    expect((await w.admin.get(`${w.base}/tags`)).body).toEqual(['One', 'one', 'two']);
    expect((await w.admin.get(`${w.base}/tagCounts`)).body.tags).toEqual([
      { tag: 'One', count: 1 },
      { tag: 'one', count: 1 },
      { tag: 'two', count: 1 },
    ]);
  });
});

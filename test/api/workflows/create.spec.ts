import { startApp, type AppUnderTest } from '../../support/start-app.js';
import type { ApiClient } from '../../support/api-client.js';

let app: AppUnderTest;
let admin: ApiClient;
let base: string;

const workflow = (extra: object = {}, config: object = {}) => ({
  name: 'Capture',
  config: { seeds: [{ url: 'https://Example.com' }], ...config },
  ...extra,
});

beforeAll(async () => {
  app = await startApp();
  admin = await app.admin();
  base = `/orgs/${await app.defaultOrgId()}/crawlconfigs`;
});
afterAll(() => app.close());

describe('creating a workflow', () => {
  it('stores every field with its default and answers the id', async () => {
    const created = await admin.post(`${base}/`, workflow());
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      added: true,
      id: expect.any(String),
      run_now_job: null,
      storageQuotaReached: false,
      execMinutesQuotaReached: false,
      errorDetail: null,
    });
    const { status, body } = await admin.get(`${base}/${created.body.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Capture',
      firstSeed: 'https://example.com/',
      seedCount: 1,
      browserWindows: 2,
      rev: 0,
      config: { seeds: null, scopeType: 'prefix', selectLinks: ['a[href]->href'], depth: -1 },
      profileName: null,
      nextRun: null,
    });
    const seeds = await admin.get(`${base}/${created.body.id}/seeds`);
    expect(seeds.body).toMatchObject({ total: 1, page: 1, pageSize: 1000, items: [{ url: 'https://example.com/' }] });
  });

  it('starts a crawl at once when asked to', async () => {
    const { body } = await admin.post(`${base}/`, workflow({ runNow: true }));
    expect(body).toMatchObject({ run_now_job: expect.stringMatching(/^manual-\d{14}-/), errorDetail: null });
    const shown = await admin.get(`${base}/${body.id}`);
    expect(shown.body).toMatchObject({
      isCrawlRunning: true,
      lastCrawlId: body.run_now_job,
      lastCrawlState: 'starting',
      crawlAttemptCount: 1,
    });
    const again = await admin.post(`${base}/${body.id}/run`);
    expect([again.status, again.body.detail]).toEqual([400, 'crawl_already_running']);
  });

  it('of concurrent starts lets one win', async () => {
    const { body } = await admin.post(`${base}/`, workflow());
    const starts = await Promise.all(Array.from({ length: 5 }, () => admin.post(`${base}/${body.id}/run`)));
    expect(starts.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expect((await admin.get(`${base}/${body.id}`)).body.crawlAttemptCount).toBe(1);
  });
});

describe('workflows made in the same second', () => {
  it('are listed in the order they were made in, page by page, also with a filter', async () => {
    const made: string[] = [];
    for (let n = 0; n < 8; n += 1)
      made.push((await admin.post(`${base}/`, workflow({ tags: ['Same second'] }))).body.id as string);
    const page = async (query: Record<string, string>) =>
      ((await admin.get(base, query)).body.items as { id: string }[]).map(({ id }) => id);
    expect((await page({})).slice(-8)).toEqual(made);
    const [first, second] = [
      await page({ tags: 'same second', pageSize: '5' }),
      await page({ tags: 'same second', pageSize: '5', page: '2' }),
    ];
    expect([first, second]).toEqual([made.slice(0, 5), made.slice(5)]);
  });
});

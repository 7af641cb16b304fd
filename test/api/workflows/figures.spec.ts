import { DomainEvents } from '../../../src/events/domain-events.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { seconds } from '../../../src/common/units/durations.js';
import type { Workflow } from '../../../src/workflows/data/workflow.schema.js';
import { WorkflowsRepository } from '../../../src/workflows/data/workflows.repository.js';
import { workflowsOf, type Workflows } from './support.js';

let app: AppUnderTest;
let w: Workflows;
let stage: CrawlStage;

const run = async (cid: string): Promise<string> => {
  // A crawl's id contains the second of its start, so the next crawl needs another second.
  app.clock.advance(seconds(2));
  return (await w.admin.post(`${w.base}/${cid}/run`)).body.started as string;
};

beforeAll(async () => {
  app = await startApp();
  w = await workflowsOf(app);
  stage = await CrawlStage.of(app);
});
beforeEach(() => stage.driver.script({ pagesPerSeed: 2, pageSeconds: 15 }));
afterAll(() => app.close());

describe('the figures of a workflow', () => {
  it('follow a crawl from its start to its end and its deletion', async () => {
    const cid = await w.create();
    const crawlId = await run(cid);
    await stage.until(crawlId, 'running');
    expect(await w.get(cid)).toMatchObject({
      isCrawlRunning: true,
      lastCrawlState: 'running',
      lastCrawlTime: null,
      crawlAttemptCount: 1,
      crawlCount: 0,
    });
    const item = await stage.until(crawlId, 'complete');
    const after = await w.get(cid);
    expect(after).toMatchObject({
      isCrawlRunning: false,
      lastCrawlId: crawlId,
      lastCrawlState: 'complete',
      lastCrawlSize: item.fileSize,
      totalSize: item.fileSize,
      crawlCount: 1,
      crawlSuccessfulCount: 1,
      lastCrawlStats: { found: 2, done: 2 },
    });
    expect(after.lastRun).toBe(after.lastCrawlTime);
    await w.admin.post(`/orgs/${w.oid}/crawls/delete`, { crawl_ids: [crawlId] });
    expect(await w.get(cid)).toMatchObject({
      crawlAttemptCount: 1,
      crawlCount: 0,
      crawlSuccessfulCount: 0,
      totalSize: 0,
      lastCrawlId: null,
      lastCrawlState: null,
      lastCrawlSize: 0,
      lastRun: null,
    });
  });

  it('count a cancelled crawl once, as unsuccessful', async () => {
    const cid = await w.create();
    const crawlId = await run(cid);
    await stage.until(crawlId, 'running');
    await w.admin.post(`/orgs/${w.oid}/crawls/${crawlId}/cancel`);
    await stage.until(crawlId, 'canceled');
    await w.admin.post(`/orgs/${w.oid}/crawls/${crawlId}/cancel`);
    expect(await w.get(cid)).toMatchObject({ crawlCount: 1, crawlSuccessfulCount: 0, lastCrawlState: 'canceled' });
    await w.admin.post(`/orgs/${w.oid}/crawls/delete`, { crawl_ids: [crawlId] });
    expect(await w.get(cid)).toMatchObject({ crawlCount: 0, crawlSuccessfulCount: 0 });
  });

  it('fall back to the crawl before when the last one is deleted', async () => {
    const cid = await w.create();
    const first = await run(cid);
    await stage.until(first, 'complete');
    const second = await run(cid);
    await stage.until(second, 'complete');
    expect(await w.get(cid)).toMatchObject({ lastCrawlId: second, crawlCount: 2 });
    await w.admin.post(`/orgs/${w.oid}/crawls/delete`, { crawl_ids: [second] });
    expect(await w.get(cid)).toMatchObject({ lastCrawlId: first, crawlCount: 1, lastCrawlState: 'complete' });
  });

  it('are the same when an event is told twice', async () => {
    const cid = await w.create();
    const crawlId = await run(cid);
    const item = await stage.until(crawlId, 'complete');
    const event = {
      _id: '11111111-1111-4111-8111-111111111111',
      type: 'crawl.finished',
      payload: { oid: w.oid, crawlId, cid, state: 'complete', fileSize: item.fileSize },
      created: app.clock.now(),
      pending: ['workflows.figures'],
      attempts: 0,
      leaseUntil: new Date(0),
    };
    const events = app.app.get(DomainEvents, { strict: false });
    const before = (await w.get(cid)).crawlCount as number;
    for (let i = 0; i < 2; i++) {
      await app.connection.models['StoredEvent']?.insertMany([event]);
      await events.drain();
    }
    expect((await w.get(cid)).crawlCount).toBe(before + 1);
  });

  it('show the pause of a running crawl and when it expires', async () => {
    stage.driver.script({ pagesPerSeed: 50, pageSeconds: 10 });
    const cid = await w.create();
    const crawlId = await run(cid);
    await stage.until(crawlId, 'running');
    await w.admin.post(`/orgs/${w.oid}/crawls/${crawlId}/pause`);
    await stage.until(crawlId, 'paused');
    const { lastCrawlPausedAt, lastCrawlPausedExpiry, ...shown } = await w.get(cid);
    expect(shown).toMatchObject({ lastCrawlState: 'paused', lastCrawlShouldPause: true, isCrawlRunning: true });
    expect(Date.parse(lastCrawlPausedExpiry) - Date.parse(lastCrawlPausedAt)).toBe(7 * 24 * 3600 * 1000);
    expect((await w.admin.get(w.base, { lastCrawlState: 'paused' })).body.total).toBe(1);
    await w.admin.post(`/orgs/${w.oid}/crawls/${crawlId}/cancel`);
    await stage.until(crawlId, 'canceled');
  });
});

describe('a workflow whose crawl was cancelled', () => {
  it('is run again within the second that the first one is named after', async () => {
    const cid = await w.create();
    const first = await run(cid);
    await w.admin.post(`/orgs/${w.oid}/crawls/${first}/cancel`);
    await stage.settle(first);
    expect(await stage.state(first)).toBe('canceled');
    const again = await w.admin.post(`${w.base}/${cid}/run`);
    expect(again.status).toBe(200);
    expect(again.body.started).toMatch(new RegExp(`^manual-\\d{14}-${cid.slice(0, 12)}$`));
    expect(again.body.started).not.toBe(first);
    expect((await w.admin.post(`${w.base}/${cid}/run`)).body).toEqual({ detail: 'crawl_already_running' });
    expect(await w.get(cid)).toMatchObject({ lastCrawlId: again.body.started, crawlAttemptCount: 2, crawlCount: 1 });
    await w.admin.post(`/orgs/${w.oid}/crawls/${again.body.started}/cancel`);
    await stage.until(again.body.started, 'canceled');
  });
});

describe('the numbers of running crawls', () => {
  it('are told by state, for an org and for all', async () => {
    stage.driver.script({ pagesPerSeed: 50, pageSeconds: 10 });
    const running = await run(await w.create());
    await stage.until(running, 'running');
    await run(await w.create());
    const { body } = await w.admin.get(`${w.base}/running`);
    expect(body).toMatchObject({
      totalRunningPausedWaiting: 2,
      totalRunning: 1,
      totalWaiting: 1,
      running: 1,
      starting: 1,
    });
    expect(body.totalPaused).toBe(0);
    expect((await w.admin.get('/orgs/all/crawlconfigs/running')).body).toEqual(body);
  });
});

describe('deleting a workflow', () => {
  it('removes one that never ran, puts out of use one that did, and neither while it runs', async () => {
    const unused = await w.create();
    expect((await w.admin.delete(`${w.base}/${unused}`)).body).toEqual({ success: true, status: 'deleted' });
    const gone = { status: 404, body: { detail: 'crawl_config_not_found' } };
    expect(await w.admin.get(`${w.base}/${unused}`)).toMatchObject(gone);
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 15 });
    const used = await w.create({ schedule: '@daily' });
    const crawlId = await run(used);
    const busy = await w.admin.delete(`${w.base}/${used}`);
    expect([busy.status, busy.body.detail]).toEqual([400, 'crawl_running_cant_deactivate']);
    await stage.until(crawlId, 'complete');
    expect((await w.admin.delete(`${w.base}/${used}`)).body).toEqual({ success: true, status: 'deactivated' });
    expect(await w.admin.delete(`${w.base}/${used}`)).toMatchObject(gone);
    expect(await w.get(used)).toMatchObject({ inactive: true, nextRun: null, crawlCount: 1 });
    expect(await w.admin.patch(`${w.base}/${used}`, { name: 'x' })).toMatchObject(gone);
    expect(await w.admin.post(`${w.base}/${used}/run`)).toMatchObject(gone);
    expect(await w.admin.get(`${w.base}/${used}/seeds`)).toMatchObject(gone);
    expect((await w.admin.get(`${w.base}/${used}/revs`)).status).toBe(200);
  });

  it('leaves nothing to start for whoever read it before', async () => {
    const workflows = app.app.get(WorkflowsRepository, { strict: false });
    const deleted = await w.create();
    const deactivated = await w.create();
    await stage.until(await run(deactivated), 'complete');
    for (const cid of [deleted, deactivated]) {
      const before = (await workflows.findActive(w.oid, cid)) as Workflow;
      expect((await w.admin.delete(`${w.base}/${cid}`)).status).toBe(200);
      app.clock.advance(seconds(2));
      await expect(stage.start(before)).rejects.toMatchObject({ detail: 'crawl_config_not_found' });
      expect((await w.admin.get(`/orgs/${w.oid}/crawls`, { cid, state: 'starting' })).body.total).toBe(0);
    }
  });

  it('and starting it at the same moment end as if one had come first', async () => {
    for (let n = 0; n < 5; n += 1) {
      const cid = await w.create();
      const path = `${w.base}/${cid}`;
      const [started, removed] = await Promise.all([w.admin.post(`${path}/run`), w.admin.delete(path)]);
      if (started.status === 200) {
        expect([removed.status, removed.body.detail]).toEqual([400, 'crawl_running_cant_deactivate']);
        expect(await w.get(cid)).toMatchObject({ inactive: false, isCrawlRunning: true, crawlAttemptCount: 1 });
      } else {
        expect([started.status, started.body.detail]).toEqual([404, 'crawl_config_not_found']);
        expect(removed.body).toEqual({ success: true, status: 'deleted' });
      }
    }
  });
});

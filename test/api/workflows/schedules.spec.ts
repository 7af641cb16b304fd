import { mongo } from 'mongoose';
import { days, minutes, seconds } from '../../../src/common/units/durations.js';
import { WorkflowsRepository } from '../../../src/workflows/data/workflows.repository.js';
import { WorkflowScheduler } from '../../../src/workflows/running/workflow-scheduler.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { workflowsOf, type Workflows } from './support.js';

/** Three processes that share one database and one clock. */
let apps: AppUnderTest[];
let app: AppUnderTest;
let w: Workflows;
let stage: CrawlStage;

const schedulerOf = (one: AppUnderTest) => one.app.get(WorkflowScheduler, { strict: false });
/** Lets all processes look at the same time, as their timers do. */
const fireEverywhere = async (): Promise<number> =>
  (await Promise.all(apps.map((one) => schedulerOf(one).drain()))).reduce((sum, fired) => sum + fired, 0);
const crawlsOf = async (cid: string): Promise<{ id: string; manual: boolean; userName: string; started: string }[]> =>
  (await w.admin.get(`/orgs/${w.oid}/crawls`, { cid, sortBy: 'started', sortDirection: 1 })).body.items;
const stored = async (cid: string) => {
  const docs = await app.connection.collection('crawl_configs').find({}).toArray();
  return docs.find(({ _id }) => String(_id) === cid) as Record<string, any>;
};

beforeAll(async () => {
  app = await startApp({ env: { CRAWL_QUEUE_LIMIT_SCALE: '1' } });
  apps = [app, await startApp({ like: app }), await startApp({ like: app })];
  w = await workflowsOf(app);
  stage = await CrawlStage.of(app);
});
afterAll(async () => {
  await Promise.all(apps.slice(1).map((one) => one.stop()));
  await app.close();
});
afterEach(async () => {
  await app.connection.collection('crawl_configs').deleteMany({});
});

describe('a schedule', () => {
  it('fires once per tick however many processes run', async () => {
    app.clock.set(new Date('2020-12-01T09:59:30Z'));
    const cid = await w.create({ schedule: '*/10 * * * *' });
    expect(await fireEverywhere()).toBe(0);
    app.clock.set(new Date('2020-12-01T10:00:01Z'));
    expect(await fireEverywhere()).toBe(1);
    expect(await fireEverywhere()).toBe(0);
    const crawls = await crawlsOf(cid);
    const minute = Date.parse('2020-12-01T10:00:00Z') / 60_000;
    expect(crawls).toMatchObject([{ id: `sched-${cid.slice(0, 12)}-${String(minute)}`, manual: false }]);
    expect((await w.get(cid)).nextRun).toBe('2020-12-01T10:10:00Z');
  });

  it('is caught up on once after a downtime, with the latest tick', async () => {
    app.clock.set(new Date('2020-12-02T09:00:00Z'));
    const cid = await w.create({ schedule: '0 * * * *' });
    app.clock.advance(days(3));
    app.clock.advance(minutes(20));
    await fireEverywhere();
    const crawls = await crawlsOf(cid);
    const minute = Date.parse('2020-12-05T09:00:00Z') / 60_000;
    expect(crawls.map(({ id }) => id)).toEqual([`sched-${cid.slice(0, 12)}-${String(minute)}`]);
    expect((await w.get(cid)).nextRun).toBe('2020-12-05T10:00:00Z');
  });

  it('skips a tick while the last run still goes, and notes it', async () => {
    app.clock.set(new Date('2020-12-06T09:59:00Z'));
    const cid = await w.create({ schedule: '*/5 * * * *' });
    app.clock.set(new Date('2020-12-06T10:00:00Z'));
    await fireEverywhere();
    app.clock.set(new Date('2020-12-06T10:05:00Z'));
    await fireEverywhere();
    expect(await crawlsOf(cid)).toHaveLength(1);
    const skipped = { at: new Date('2020-12-06T10:05:00Z'), reason: 'crawl_already_running' };
    expect((await stored(cid))['skippedFiring']).toEqual(skipped);
    const running = (await crawlsOf(cid))[0]?.id ?? '';
    await w.admin.post(`/orgs/${w.oid}/crawls/${running}/cancel`);
    await stage.until(running, 'canceled');
    app.clock.set(new Date('2020-12-06T10:10:00Z'));
    await fireEverywhere();
    expect(await crawlsOf(cid)).toHaveLength(2);
  });

  it('loses no tick that a process died over, and doubles none that it had begun', async () => {
    app.clock.set(new Date('2020-12-07T09:59:00Z'));
    const [claimed, begun] = [await w.create({ schedule: '0 10 * * *' }), await w.create({ schedule: '0 10 * * *' })];
    app.clock.set(new Date('2020-12-07T10:00:00Z'));
    const at = new Date('2020-12-07T10:00:00Z');
    const leaseUntil = new Date('2020-12-07T10:02:00Z');
    // One process died after the claim, the other after the start of the crawl.
    const ids = [claimed, begun];
    const workflow = await app.app.get(WorkflowsRepository, { strict: false }).find(w.oid, begun);
    if (!workflow) throw new Error('the workflow is gone');
    await stage.start(workflow, { scheduled: at });
    const docs = await app.connection.collection('crawl_configs').find({}).toArray();
    for (const doc of docs.filter(({ _id }) => ids.includes(String(_id))))
      await app.connection
        .collection('crawl_configs')
        .updateOne(
          { _id: doc._id },
          { $set: { nextRun: new Date('2020-12-08T10:00:00Z'), pendingFiring: { at, leaseUntil } } },
        );
    app.clock.advance(minutes(1));
    expect(await fireEverywhere()).toBe(0);
    app.clock.advance(minutes(2));
    expect(await fireEverywhere()).toBe(2);
    expect(await fireEverywhere()).toBe(0);
    expect(await crawlsOf(claimed)).toHaveLength(1);
    expect(await crawlsOf(begun)).toHaveLength(1);
    expect((await stored(claimed))['pendingFiring']).toBeNull();
  });

  it('runs in the name of who set it, or of who last changed the workflow', async () => {
    app.clock.set(new Date('2020-12-08T09:59:00Z'));
    const cid = await w.create({ schedule: '0 10 * * *' });
    await app.connection
      .collection('crawl_configs')
      .updateMany({}, { $unset: { scheduledBy: 1, nextRun: 1, pendingFiring: 1 } });
    // The reference leaves workflows in this state. Their first firing is worked out at startup.
    await schedulerOf(app).reschedule(true);
    expect((await w.get(cid)).nextRun).toBe('2020-12-08T10:00:00Z');
    app.clock.set(new Date('2020-12-08T10:00:00Z'));
    await fireEverywhere();
    const me = (await w.admin.get('/users/me')).body;
    expect(await crawlsOf(cid)).toMatchObject([{ userName: me.name }]);
    expect((await w.get(cid)).lastStartedBy).toBe(me.id);
  });

  it.each([
    ['the org is read-only', { readOnly: true }, 'org_set_to_read_only'],
    ['the user is gone', {}, 'user_gone'],
    ['the profile has no file', {}, 'invalid_profile_id'],
  ])('starts nothing when %s', async (_, org, reason) => {
    app.clock.set(new Date('2020-12-09T09:59:00Z'));
    const cid = await w.create({ schedule: '0 10 * * *' });
    await w.setOrg(org);
    const gone = '00000000-0000-4000-8000-000000000000';
    const set = reason === 'user_gone' ? { scheduledBy: new mongo.UUID(gone) } : {};
    const broken = reason === 'invalid_profile_id' ? { profileid: new mongo.UUID(gone) } : {};
    await app.connection.collection('crawl_configs').updateMany({}, { $set: { ...set, ...broken, x: 1 } });
    app.clock.set(new Date('2020-12-09T10:00:00Z'));
    await fireEverywhere();
    await w.setOrg({ readOnly: false });
    expect(await crawlsOf(cid)).toEqual([]);
    expect((await stored(cid))['skippedFiring']).toMatchObject({ reason });
    expect((await w.get(cid)).crawlAttemptCount).toBe(0);
  });

  it('shows a used up quota as a skipped crawl', async () => {
    app.clock.set(new Date('2020-12-10T09:59:00Z'));
    const cid = await w.create({ schedule: '0 10 * * *' });
    await w.setOrg({ 'quotas.storageQuota': 1, bytesStored: 5 });
    app.clock.set(new Date('2020-12-10T10:00:00Z'));
    await fireEverywhere();
    const crawlId = (await crawlsOf(cid))[0]?.id ?? '';
    await stage.until(crawlId, 'skipped_storage_quota_reached');
    await w.setOrg({ 'quotas.storageQuota': 0, bytesStored: 0 });
  });

  it('takes its place in a queue that is full for people', async () => {
    app.clock.set(new Date('2020-12-10T11:59:00Z'));
    stage.driver.script({ pagesPerSeed: 500, pageSeconds: 60 });
    await w.setOrg({ 'quotas.maxConcurrentCrawls': 1 });
    const cid = await w.create({ schedule: '0 12 * * *' });
    const running = await stage.aCrawl();
    await stage.until(running, 'running', 30);
    const waiting = await stage.aCrawl();
    await stage.until(waiting, 'waiting_org_limit', 30);
    expect((await w.admin.post(`${w.base}/${cid}/run`)).body.detail).toBe('slow_down_too_many_crawls_queued');
    app.clock.set(new Date('2020-12-10T12:00:00Z'));
    await fireEverywhere();
    const crawlId = (await crawlsOf(cid))[0]?.id ?? '';
    await stage.until(crawlId, 'waiting_org_limit', 30);
    for (const id of [crawlId, waiting, running]) {
      await w.admin.post(`/orgs/${w.oid}/crawls/${id}/cancel`);
      await stage.until(id, 'canceled');
    }
    await w.setOrg({ 'quotas.maxConcurrentCrawls': 0 });
  });

  it('can be put right for all workflows by a superuser', async () => {
    app.clock.set(new Date('2020-12-11T09:00:00Z'));
    const cid = await w.create({ schedule: '0 10 * * *' });
    await app.connection.collection('crawl_configs').updateMany({}, { $set: { nextRun: null } });
    expect((await w.admin.post('/orgs/all/crawlconfigs/reAddCronjobs')).body).toEqual({ success: true });
    // There are more workflows than fit into one batch.
    const workflows = app.connection.collection('crawl_configs');
    const one = (await workflows.findOne({})) as Record<string, unknown>;
    const many = Array.from({ length: 120 }, () => ({ ...one, _id: new mongo.UUID(), nextRun: null }));
    await workflows.insertMany(many as never[]);
    await schedulerOf(app).reschedule(false);
    expect((await w.get(cid)).nextRun).toBe('2020-12-11T10:00:00Z');
    expect(await workflows.countDocuments({ nextRun: null })).toBe(0);
  });

  it('that nothing reads any more stops without a word to the others', async () => {
    app.clock.set(new Date('2020-12-12T09:59:00Z'));
    const [bad, good] = [await w.create({ schedule: '0 10 * * *' }), await w.create({ schedule: '0 10 * * *' })];
    const docs = await app.connection.collection('crawl_configs').find({}).toArray();
    const broken = docs.find(({ _id }) => String(_id) === bad);
    await app.connection
      .collection('crawl_configs')
      .updateOne({ _id: broken?._id }, { $set: { schedule: 'nonsense' } });
    app.clock.advance(seconds(90));
    await fireEverywhere();
    expect(await crawlsOf(good)).toHaveLength(1);
    expect((await w.get(bad)).nextRun).toBeNull();
  });
});

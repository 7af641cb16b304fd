import { CollectionsRepository } from '../../../src/collections/data/collections.repository.js';
import { CrawlAlreadyRunning, TooManyCrawlsQueued } from '../../../src/crawls/crawls.errors.js';
import { CrawlControl } from '../../../src/crawls/control/crawl-control.js';
import { minutes, seconds } from '../../../src/common/units/durations.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { sentMails } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const NO_QUOTAS = {
  storageQuota: 0,
  maxExecMinutesPerMonth: 0,
  maxConcurrentCrawls: 0,
  maxPagesPerCrawl: 0,
  extraExecMinutes: 0,
  giftedExecMinutes: 0,
};

describe('states of crawls', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let control: CrawlControl;

  beforeAll(async () => {
    on = await startApp({ env: { CRAWL_QUEUE_LIMIT_SCALE: '1', RATE_LIMIT_DURATION_MINUTES: '720' } });
    stage = await CrawlStage.of(on);
    control = on.app.get(CrawlControl, { strict: false });
  });
  beforeEach(async () => {
    stage.driver.script({ pagesPerSeed: 60, pageSeconds: 5 });
    stage.driver.capacity = Number.POSITIVE_INFINITY;
    await stage.setOrg({ quotas: NO_QUOTAS, readOnly: false });
  });
  afterAll(() => on.close());

  const running = async (changes = {}): Promise<string> => {
    const crawlId = await stage.aCrawl(changes);
    await stage.until(crawlId, 'running');
    return crawlId;
  };
  const cancel = async (crawlId: string): Promise<void> => {
    await control.cancel(await stage.org(), crawlId);
    await stage.until(crawlId, 'canceled');
  };

  it('waits for the org’s limit of concurrent crawls, and is refused when too many wait', async () => {
    await stage.setOrg({ quotas: { ...NO_QUOTAS, maxConcurrentCrawls: 1 } });
    const first = await running();
    const second = await stage.aCrawl();
    await stage.until(second, 'waiting_org_limit');
    await expect(stage.aCrawl()).rejects.toBeInstanceOf(TooManyCrawlsQueued);
    expect(await stage.driver.list()).not.toContain(second);
    await cancel(first);
    await stage.until(second, 'running');
    await cancel(second);
  });

  it('runs first what came first, also of one second', async () => {
    await stage.setOrg({ quotas: { ...NO_QUOTAS, maxConcurrentCrawls: 1 } });
    const made: string[] = [];
    for (let n = 0; n < 4; n++) made.push(await stage.aCrawl());
    const [first = '', ...others] = made;
    await stage.until(first, 'running');
    for (const crawlId of others) await stage.until(crawlId, 'waiting_org_limit');
    for (const crawlId of made) {
      await stage.until(crawlId, 'running', 60);
      await cancel(crawlId);
    }
  });

  it('waits for its dedupe index, behind the org’s limit, and not for one that was deleted', async () => {
    const collection = await (await on.admin()).post(`/orgs/${stage.oid}/collections`, { name: 'Deduplicated' });
    const dedupeCollId = collection.body.id as string;
    const index = async (indexState: 'importing' | 'ready' | null): Promise<unknown> =>
      on.app.get(CollectionsRepository, { strict: false }).change(stage.oid, dedupeCollId, { indexState });
    await index('importing');
    const first = await running();
    await stage.setOrg({ quotas: { ...NO_QUOTAS, maxConcurrentCrawls: 1 } });
    const crawlId = await stage.aCrawl({ dedupeCollId });
    await stage.until(crawlId, 'waiting_org_limit');
    await stage.setOrg({ quotas: NO_QUOTAS });
    await stage.until(crawlId, 'waiting_dedupe_index');
    expect(await stage.driver.list()).not.toContain(crawlId);
    const running_ = (await (await on.admin()).get(`/orgs/${stage.oid}/crawlconfigs/running`)).body;
    expect(running_).toMatchObject({ waitingDedupeIndex: 1, totalWaiting: 1 });
    await index('ready');
    await stage.until(crawlId, 'running');
    await cancel(crawlId);
    await index('importing');
    const second = await stage.aCrawl({ dedupeCollId });
    await stage.until(second, 'waiting_dedupe_index');
    await index(null);
    await stage.until(second, 'running');
    await cancel(second);
    await cancel(first);
  });

  it('discards a waiting crawl that is stopped: nothing has run', async () => {
    await stage.setOrg({ quotas: { ...NO_QUOTAS, maxConcurrentCrawls: 1 } });
    const first = await running();
    const second = await stage.aCrawl();
    await stage.until(second, 'waiting_org_limit');
    await control.stop(stage.oid, second);
    await stage.until(second, 'canceled');
    await cancel(first);
  });

  it.each([
    ['skipped_storage_quota_reached', { storageQuota: 1 }, { bytesStored: 5 }],
    ['skipped_time_quota_reached', { maxExecMinutesPerMonth: 1 }, { monthlyExecSeconds: { '2020-11': 60 } }],
  ])('skips a scheduled crawl as %s', async (state, quotas, used) => {
    await stage.setOrg({ quotas: { ...NO_QUOTAS, ...quotas }, ...used });
    const workflow = await stage.aWorkflow();
    const firing = on.clock.timestamp();
    const crawlId = await stage.start(workflow, { scheduled: firing });
    expect(crawlId).toBe(`sched-${workflow._id.slice(0, 12)}-${Math.floor(firing.getTime() / 60_000)}`);
    expect(await stage.until(crawlId, state)).toMatchObject({ manual: false });
    await expect(stage.start(workflow, { scheduled: firing })).rejects.toBeInstanceOf(CrawlAlreadyRunning);
    await stage.setOrg({ bytesStored: 0, monthlyExecSeconds: {} });
  });

  it('starts one of two crawls of a workflow that are asked for at once', async () => {
    const workflow = await stage.aWorkflow();
    const starts = await Promise.allSettled([1, 2, 3].map(() => stage.start(workflow)));
    const started = starts.filter(({ status }) => status === 'fulfilled');
    expect(started).toHaveLength(1);
    await cancel((started[0] as PromiseFulfilledResult<string>).value);
  });

  it('shows that it waits for a place at the driver', async () => {
    stage.driver.capacity = 0;
    const crawlId = await stage.aCrawl();
    await stage.pass(140);
    expect(await stage.state(crawlId)).toBe('starting');
    await stage.pass(30);
    expect(await stage.state(crawlId)).toBe('waiting_capacity');
    stage.driver.capacity = 10;
    await stage.until(crawlId, 'running');
    expect((await stage.item(crawlId)).crawlExecSeconds).toBe(0);
    await cancel(crawlId);
  });

  it('says at once, and in words, what it waits for where the driver knows', async () => {
    const api = await on.admin();
    const reason = async (crawlId: string): Promise<string | null> =>
      (await api.get(`/orgs/${stage.oid}/crawls/${crawlId}`)).body.stateReason;
    stage.driver.capacity = 0;
    stage.driver.capacityWait = 'All places are taken.';
    const crawlId = await stage.aCrawl();
    expect(await reason(crawlId)).toBe('The crawler is being started.');
    await stage.until(crawlId, 'waiting_capacity', 20);
    expect(await reason(crawlId)).toBe('All places are taken.');
    stage.driver.capacity = 10;
    stage.driver.capacityWait = undefined;
    await stage.until(crawlId, 'running');
    expect(await reason(crawlId)).toBeNull();
    await stage.setOrg({ quotas: { ...NO_QUOTAS, maxConcurrentCrawls: 1 } });
    const second = await stage.aCrawl();
    await stage.until(second, 'waiting_org_limit');
    expect(await reason(second)).toContain('maxConcurrentCrawls');
    await control.pause(stage.oid, crawlId);
    await stage.until(crawlId, 'paused', 60);
    expect(await reason(crawlId)).toContain('Paused by a user');
    await cancel(second);
    await cancel(crawlId);
    expect(await reason(crawlId)).toBeNull();
  });

  it('shows what the crawler does', async () => {
    stage.driver.script({ held: true, pagesPerSeed: 5 });
    const crawlId = await running();
    for (const status of ['pending-wait', 'generate-wacz', 'uploading-wacz'] as const) {
      stage.driver.run(crawlId)?.instances.setStatus(0, status);
      await stage.until(crawlId, status, 30);
    }
    stage.driver.run(crawlId)?.instances.crash(0, 10, on.clock.nowMs());
    await stage.until(crawlId, 'waiting_capacity', 30);
    await stage.until(crawlId, 'running', 60);
    await cancel(crawlId);
  });

  it('pauses a crawl that is rate limited for long, and tells of it once', async () => {
    const me = await (await on.admin()).get('/users/me');
    await stage.setOrg({ users: { [String(me.body.id)]: 40 } });
    stage.driver.script({ held: true });
    const crawlId = await running();
    const job = stage.driver.run(crawlId);
    job?.visit(1, on.clock.nowMs());
    if (job) job.rateLimited = true;
    expect((await stage.until(crawlId, 'rate-limited', 30)).rateLimitedAt).not.toBeNull();
    on.clock.advance(minutes(721));
    const paused = await stage.until(crawlId, 'paused_rate_limit_time_reached', 60);
    expect(paused).toMatchObject({ shouldPause: true, autoPausedEmailsSent: true, rateLimitedAt: null });
    const mails = await sentMails(on);
    expect(mails.filter((text) => text.includes(`/workflows/${paused.cid}/latest`))).toHaveLength(1);
    await cancel(crawlId);
  });

  it.each([
    ['paused_org_readonly', { readOnly: true }],
    ['paused_storage_quota_reached', { quotas: { ...NO_QUOTAS, storageQuota: 1 } }],
    ['paused_time_quota_reached', { quotas: { ...NO_QUOTAS, giftedExecMinutes: 1 }, giftedExecSecondsAvailable: 0 }],
  ])('pauses as %s, and again when it is resumed too early', async (state, org) => {
    const crawlId = await running();
    await stage.setOrg(org);
    const paused = await stage.until(crawlId, state, 60);
    expect(paused).toMatchObject({ fileCount: 1, shouldPause: true });
    await control.resume(stage.oid, crawlId);
    await stage.pass(30);
    expect(await stage.state(crawlId)).toBe(state);
    await stage.setOrg({ quotas: NO_QUOTAS, readOnly: false });
    await control.resume(stage.oid, crawlId);
    await stage.until(crawlId, 'running', 60);
    await cancel(crawlId);
  });

  it('counts the live size of a crawl once against the storage quota', async () => {
    stage.driver.script({ held: true, bytesPerPage: 1000 });
    const crawlId = await running();
    const used = (await stage.org()).bytesStored ?? 0;
    await stage.setOrg({ quotas: { ...NO_QUOTAS, storageQuota: used + 3001 } });
    stage.driver.run(crawlId)?.visit(3, on.clock.nowMs());
    await stage.pass(30);
    expect(await stage.item(crawlId)).toMatchObject({ state: 'running', pendingSize: 3000 });
    stage.driver.run(crawlId)?.find(['https://site.example/more']);
    stage.driver.run(crawlId)?.visit(1, on.clock.nowMs());
    await stage.until(crawlId, 'paused_storage_quota_reached', 60);
    await cancel(crawlId);
  });

  it('ends a pause that has lasted a week', async () => {
    const crawlId = await running();
    await control.pause(stage.oid, crawlId);
    await stage.until(crawlId, 'paused', 60);
    on.clock.advance(minutes(10_079));
    await stage.pass(10);
    expect(await stage.state(crawlId)).toBe('paused');
    on.clock.advance(minutes(2));
    expect(await stage.until(crawlId, 'stopped_pause_expired', 30)).toMatchObject({ fileCount: 1 });
  });

  it('is stopped while it is paused', async () => {
    const crawlId = await running();
    await control.pause(stage.oid, crawlId);
    await stage.until(crawlId, 'paused', 60);
    await control.stop(stage.oid, crawlId);
    await stage.until(crawlId, 'stopped_by_user', 30);
  });

  it.each([
    ['crawlTimeout', { crawlTimeout: 60 }],
    ['maxCrawlSize', { maxCrawlSize: 50_000 }],
  ])('is complete when its %s is reached', async (_limit, changes) => {
    const crawlId = await running(changes);
    const done = await stage.until(crawlId, 'complete', 200);
    expect(done.stats?.done).toBeLessThan(60);
    expect(done.fileCount).toBe(1);
  });

  it.each([
    ['no page succeeded', 'failed', undefined, 9],
    ['the login was lost', 'failed_not_logged_in', 'not_logged_in', 9],
    ['a fatal error', 'failed', undefined, 17],
    ['an invalid config', 'failed', undefined, 4],
  ])('fails when %s, and keeps nothing', async (_why, state, failReason, code) => {
    stage.driver.script({ held: true });
    const crawlId = await running();
    const job = stage.driver.run(crawlId);
    if (job) job.failReason = failReason;
    if (code === 17) job?.instances.crash(0, code, on.clock.nowMs());
    else job?.instances.end(0, code, 'failed', on.clock.nowMs());
    expect(await stage.until(crawlId, state, 60)).toMatchObject({ files: [], fileSize: 0 });
  });

  it('meters instances across crashes and restarts, and the org by the same seconds', async () => {
    stage.driver.script({ held: true });
    const crawlId = await running();
    const started = await stage.item(crawlId);
    await stage.pass(95);
    stage.driver.run(crawlId)?.instances.crash(0, 10, on.clock.nowMs());
    await stage.pass(60);
    await control.cancel(await stage.org(), crawlId);
    const ended = await stage.until(crawlId, 'canceled', 10);
    const alive = (ended.finished?.getTime() ?? 0) - (started._lut?.getTime() ?? 0) - seconds(10);
    expect(Math.abs(ended.crawlExecSeconds - alive / 1000)).toBeLessThanOrEqual(10);
    await stage.pass(30);
    const org = await stage.org();
    const all = await stage.item(crawlId);
    expect(all.crawlExecSeconds).toBeGreaterThanOrEqual(ended.crawlExecSeconds);
    expect(org.crawlExecSeconds?.['2020-11']).toBeGreaterThanOrEqual(all.crawlExecSeconds);
  });

  it('evaluates a job once however many ask for it at the same time', async () => {
    const crawlId = await running();
    on.clock.advance(seconds(70));
    const { _lut: start } = await stage.item(crawlId);
    const tries = await Promise.all([1, 2, 3, 4].map(() => stage.supervisor.evaluateNow(crawlId)));
    expect(tries.filter(Boolean).length).toBeGreaterThanOrEqual(1);
    const ranMs = on.clock.nowMs() - (start?.getTime() ?? 0);
    expect((await stage.item(crawlId)).crawlExecSeconds).toBe(Math.floor(ranMs / 1000));
    await cancel(crawlId);
  });

  it('goes on from its seeds when the driver has lost it, and keeps what is registered', async () => {
    const crawlId = await running();
    await control.pause(stage.oid, crawlId);
    await stage.until(crawlId, 'paused', 60);
    stage.driver.lose(crawlId);
    await control.resume(stage.oid, crawlId);
    const done = await stage.until(crawlId, 'complete', 600);
    expect(done.fileCount).toBe(2);
  });
});

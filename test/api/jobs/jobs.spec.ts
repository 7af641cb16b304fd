import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuid } from '../../../src/database/uuid-codec.js';
import { Mails } from '../../../src/mail/mails.js';
import { JobHandlers, type JobHandler } from '../../../src/jobs/job-handlers.js';
import { JobStarter } from '../../../src/jobs/job-starter.js';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import { JobsRepository } from '../../../src/jobs/data/jobs.repository.js';
import { minutes, seconds } from '../../../src/common/units/durations.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

describe('background jobs', () => {
  let t: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  /** What the handler under test does on each run. */
  let runs: string[];
  let behave: JobHandler['run'];

  beforeAll(async () => {
    t = await startApp({ env: { FAILED_JOBS_DIGEST_MINUTES: '0' } });
    api = await t.admin();
    oid = await t.defaultOrgId();
    const handlers = t.app.get(JobHandlers, { strict: false });
    // These tests are about the queue: its work is theirs, whatever rooms have registered.
    const owned = (handlers as unknown as { handlers: Map<string, JobHandler> }).handlers;
    for (const type of ['recalculate-org-stats', 'update-coll-stats', 'cleanup-seed-files'] as const) {
      owned.set(type, {
        concurrency: 2,
        maxTries: 3,
        run: async (job, context) => {
          runs.push(job._id);
          await behave(job, context);
        },
      });
    }
  });
  afterAll(() => t?.close());
  beforeEach(async () => {
    runs = [];
    behave = () => Promise.resolve();
    await t.connection.collection('jobs').deleteMany({});
  });

  const worker = () => t.app.get(JobWorker, { strict: false });
  const starter = () => t.app.get(JobStarter, { strict: false });
  const start = () => starter().start('recalculate-org-stats', { oid });
  const get = async (id: string) => (await api.get(`/orgs/${oid}/jobs/${id}`)).body;
  const fail = () => Promise.reject(new Error('no luck'));
  const workAll = async () => {
    for (let round = 0; round < 4; round++) {
      await worker().drain();
      t.clock.advance(minutes(5));
    }
  };

  it('run once and are shown as succeeded', async () => {
    const id = await start();
    await workAll();
    expect(runs).toEqual([id]);
    expect(await get(id)).toMatchObject({
      id,
      type: 'recalculate-org-stats',
      oid,
      success: true,
      previousAttempts: null,
    });
    expect((await get(id)).finished).toMatch(/Z$/);
  });

  it('are tried three times, then shown as failed with the reason', async () => {
    behave = fail;
    const id = await start();
    await workAll();
    expect(runs).toEqual([id, id, id]);
    expect(await get(id)).toMatchObject({ success: false, error: 'no luck' });
  });

  it('wait twice as long before each further run, and are mailed to the superuser once they are dead', async () => {
    behave = fail;
    const id = await start();
    const runsAfter = async (ms: number) => {
      t.clock.advance(ms);
      await worker().drain();
      return runs.length;
    };
    expect(await runsAfter(0)).toBe(1);
    expect([await runsAfter(999), await runsAfter(1)]).toEqual([1, 2]);
    expect((await get(id)).success).toBeNull();
    expect([await runsAfter(1_999), await runsAfter(1)]).toEqual([2, 3]);
    expect(await get(id)).toMatchObject({ success: false, error: 'no luck' });
    expect([await runsAfter(minutes(60)), await runsAfter(minutes(600))]).toEqual([3, 3]);
    await t.app.get(Mails, { strict: false }).settled();
    const names = await readdir(join(t.dataDir, 'mail'));
    const mails = await Promise.all(names.map((name) => readFile(join(t.dataDir, 'mail', name), 'utf8')));
    expect(mails.filter((mail) => mail.includes(id) && mail.includes(ADMIN.email))).toHaveLength(1);
  });

  it('keep what they log, and why each run failed', async () => {
    behave = async (_, { log }) => {
      await log('half way');
      throw new Error('no luck');
    };
    const id = await start();
    await workAll();
    const messages = (await get(id)).logs.map(({ message }: { message: string }) => message);
    expect(messages).toEqual([1, 2, 3].flatMap((run) => ['half way', `run ${run} failed: no luck`]));
    expect((await api.get(`/orgs/${oid}/jobs`)).body.items[0]).not.toHaveProperty('logs');
  });

  it('all retry at once, also where hundreds failed in one second', async () => {
    const finished = t.clock.timestamp();
    const failed = Array.from({ length: 450 }, (_, n) => ({
      ...{ _id: `org-stats-${n}` as never, type: 'recalculate-org-stats', oid: uuid(oid), success: false },
      ...{ started: finished, finished, previousAttempts: null, plan: null },
    }));
    await t.connection.collection('jobs').insertMany(failed);
    await api.post(`/orgs/${oid}/jobs/retryFailed`);
    await eventually(async () => {
      await worker().drain();
      expect(new Set(runs).size).toBe(450);
    });
  });

  it('record the failed attempt when they are retried, and keep their id', async () => {
    behave = fail;
    const id = await start();
    await workAll();
    const failed = await get(id);
    behave = () => Promise.resolve();
    expect((await api.post(`/orgs/${oid}/jobs/${id}/retry`)).body).toEqual({ success: true });
    await workAll();
    expect(await get(id)).toMatchObject({
      id,
      success: true,
      previousAttempts: [{ started: failed.started, finished: failed.finished }],
    });
  });

  it('cannot be retried while running or after success', async () => {
    let release = () => {};
    behave = () => new Promise((resolve) => (release = () => resolve()));
    const id = await start();
    await eventually(() => expect(runs).toEqual([id]));
    const running = await api.post(`/orgs/${oid}/jobs/${id}/retry`);
    expect(running).toMatchObject({ status: 400, body: { detail: 'job_not_finished' } });
    release();
    await worker().drain();
    const succeeded = await api.post(`/orgs/${oid}/jobs/${id}/retry`);
    expect(succeeded).toMatchObject({ status: 400, body: { detail: 'job_already_succeeded' } });
  });

  it('of cron types cannot be retried', async () => {
    behave = fail;
    const id = await starter().start('cleanup-seed-files', { oid: null });
    await workAll();
    const answer = await api.post(`/orgs/all/jobs/${id}/retry`);
    expect(answer).toMatchObject({ status: 400, body: { detail: 'cron_job_retry_not_supported' } });
  });

  it('of one collection coalesce: many starts while one runs make one further run', async () => {
    const fields = { collection_id: oid };
    let release = () => {};
    behave = () => new Promise((resolve) => (release = () => resolve()));
    const id = await starter().start('update-coll-stats', { oid, fields });
    await eventually(() => expect(runs).toHaveLength(1));
    for (let i = 0; i < 20; i++) await starter().start('update-coll-stats', { oid, fields });
    behave = () => Promise.resolve();
    release();
    await workAll();
    expect([id, runs]).toEqual([`update-coll-${oid}`, [id, id]]);
    await starter().start('update-coll-stats', { oid, fields });
    await workAll();
    expect(runs).toHaveLength(3);
    expect((await api.get(`/orgs/${oid}/jobs`)).body.total).toBe(1);
  });

  it('are run by one of two processes only', async () => {
    const other = await startApp({ like: t });
    try {
      const handlers = other.app.get(JobHandlers, { strict: false });
      (handlers as unknown as { handlers: Map<string, JobHandler> }).handlers.set('recalculate-org-stats', {
        concurrency: 2,
        maxTries: 1,
        run: async (job) => void runs.push(job._id),
      });
      const ids = await Promise.all(Array.from({ length: 30 }, () => start()));
      await Promise.all([worker().drain(), other.app.get(JobWorker, { strict: false }).drain()]);
      expect([...runs].sort()).toEqual([...ids].sort());
    } finally {
      await other.stop();
    }
  });

  it('of a process that stops are put back at once for another', async () => {
    const other = await startApp({ like: t });
    const handlers = other.app.get(JobHandlers, { strict: false });
    (handlers as unknown as { handlers: Map<string, JobHandler> }).handlers.set('recalculate-org-stats', {
      concurrency: 2,
      maxTries: 1,
      run: (job, { signal }) =>
        new Promise((_, reject) => {
          runs.push(job._id);
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    const id = await other.app.get(JobStarter, { strict: false }).start('recalculate-org-stats', { oid });
    await eventually(async () => expect(runs).toEqual([id]));
    await other.stop();
    await worker().drain();
    expect(runs).toEqual([id, id]);
    expect(await get(id)).toMatchObject({ success: true });
  });

  it('of a dead process are run again when its lease is over', async () => {
    const id = await starter().start('recalculate-org-stats', { oid, dueAt: t.clock.now() });
    await worker().drain();
    runs = [];
    const now = t.clock.now();
    const plan = { dueAt: now, leaseUntil: new Date(now.getTime() + seconds(60)), tries: 1, again: false };
    await t.connection
      .collection('jobs')
      .updateOne({ _id: id as never }, { $set: { finished: null, success: null, plan } });
    await worker().drain();
    expect(runs).toEqual([]);
    t.clock.advance(seconds(61));
    await worker().drain();
    expect(runs).toEqual([id]);
  });

  /** A process that begins what is due and ends before any of it has, `count` times. */
  const diesAfterClaiming = async (jobs: number, count = 1) => {
    const repository = t.app.get(JobsRepository, { strict: false });
    for (let death = 0; death < count; death++) {
      for (let n = 0; n < jobs; n++) expect(await repository.claim(['recalculate-org-stats'])).not.toBeNull();
      t.clock.advance(seconds(21));
    }
  };
  /** Due, and not begun by this process yet. */
  const due = async () => {
    const id = await starter().start('recalculate-org-stats', { oid, dueAt: new Date(t.clock.nowMs() + 1_000) });
    await worker().drain();
    return id;
  };

  it('that were running at two deaths of their process wait a minute, then run', async () => {
    const id = await due();
    t.clock.advance(1_000);
    await diesAfterClaiming(1, 2);
    await worker().drain();
    expect(runs).toEqual([]);
    t.clock.advance(minutes(1));
    await worker().drain();
    expect(runs).toEqual([id]);
    expect(await get(id)).toMatchObject({ success: true });
  });

  it('fail instead of killing the process a fourth time', async () => {
    const id = await due();
    t.clock.advance(1_000);
    await diesAfterClaiming(1, 2);
    await worker().drain();
    t.clock.advance(minutes(1));
    await diesAfterClaiming(1);
    await worker().drain();
    expect(runs).toEqual([]);
    const error = 'the process that ran it ended 3 times, or could not reach the database for long';
    expect(await get(id)).toMatchObject({ success: false, error });
    await workAll();
    expect(runs).toEqual([]);
    expect((await api.post(`/orgs/${oid}/jobs/${id}/retry`)).body).toEqual({ success: true });
    await workAll();
    expect(runs).toEqual([id]);
  });

  it('that were running when a process died run one after the other, beside those that were not', async () => {
    const suspects = [await due(), await due()];
    t.clock.advance(1_000);
    await diesAfterClaiming(2);
    const fresh = await due();
    t.clock.advance(1_000);
    const underWay = new Set<string>();
    const together: string[][] = [];
    behave = async ({ _id }) => {
      underWay.add(_id);
      together.push([...underWay].filter((id) => suspects.includes(id)));
      // The others get their chance to begin.
      await worker().look();
      underWay.delete(_id);
    };
    await worker().drain();
    expect([...runs].sort()).toEqual([...suspects, fresh].sort());
    expect(together.filter((ids) => ids.length > 1)).toEqual([]);
  });

  it('all retry at once, in the org of the path only', async () => {
    behave = fail;
    const ids = [await start(), await start()];
    await t.app.get(JobsRepository, { strict: false }).insert({
      ...{ _id: 'org-stats-foreign', type: 'recalculate-org-stats', oid: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee' },
      ...{ success: false, started: t.clock.now(), finished: t.clock.now(), previousAttempts: null },
    });
    await workAll();
    runs = [];
    behave = () => Promise.resolve();
    expect((await api.post(`/orgs/${oid}/jobs/retryFailed`)).body).toEqual({ success: true });
    await eventually(async () => {
      await worker().drain();
      expect([...runs].sort()).toEqual([...ids].sort());
    });
    const foreign = await api.get(`/orgs/${oid}/jobs/org-stats-foreign`);
    expect(foreign).toMatchObject({ status: 404, body: { detail: 'job_not_found' } });
    expect((await api.get('/orgs/all/jobs/org-stats-foreign')).body).toMatchObject({ success: false });
  });

  it('are listed by filter and sort', async () => {
    const first = await start();
    await workAll();
    behave = fail;
    const second = await start();
    await workAll();
    const ids = async (query: object) =>
      (await api.get(`/orgs/${oid}/jobs`, query as never)).body.items.map((j: { id: string }) => j.id);
    expect(await ids({})).toEqual([first, second]);
    expect(await ids({ success: true })).toEqual([first]);
    expect(await ids({ success: false, jobType: 'recalculate-org-stats' })).toEqual([second]);
    expect(await ids({ jobType: 'delete-org' })).toEqual([]);
    expect(await ids({ sortBy: 'started' })).toEqual([second, first]);
    expect(await ids({ sortBy: 'finished', sortDirection: 1 })).toEqual([first, second]);
    expect(await ids({ page: 2, pageSize: 1 })).toEqual([second]);
    expect(await api.get(`/orgs/${oid}/jobs`, { sortBy: 'oid' })).toMatchObject({
      status: 400,
      body: { detail: 'invalid_sort_by' },
    });
  });

  it('answers 422 to an id of no known shape', async () => {
    expect((await api.get(`/orgs/${oid}/jobs/${encodeURIComponent('No Such Id!')}`)).status).toBe(422);
    expect((await api.get(`/orgs/${oid}/jobs/delete-org-x`)).status).toBe(404);
  });
});

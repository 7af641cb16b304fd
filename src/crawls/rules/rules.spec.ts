import type { InstanceObservation, JobObservation } from '../../drivers/crawl-driver.types.js';
import {
  ALL_STATES,
  NON_RUNNING,
  PROCESSING_UPLOAD,
  RUNNING_AND_WAITING,
  type CrawlState,
} from '../../items/data/item-state.facts.js';
import { sourcesOf } from './crawl-state.js';
import { driverConfig, warcPrefix } from './driver-config.js';
import { execTime, hasNewExit, isAccountingDue, wholeSeconds } from './exec-time.js';
import { logLineId, manualCrawlId, scheduledCrawlId } from './run-ids.js';
import { judge, type JudgedRun } from './run-verdict.js';
import { isSinglePage } from './single-page.js';
import { stopReason, type StopFacts } from './stop-reason.js';
import { toPage } from './stored-page.js';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 21) + seconds * 1000);
const states = ALL_STATES.filter((state) => state !== PROCESSING_UPLOAD) as CrawlState[];

describe('the state table', () => {
  it('never leaves a final state', () => {
    for (const from of NON_RUNNING) for (const to of states) expect(sourcesOf(to)).not.toContain(from);
  });
  it('reaches every state', () => {
    for (const to of states) expect(sourcesOf(to).length).toBeGreaterThan(0);
  });
  it('reaches every final state from every active one', () => {
    for (const from of RUNNING_AND_WAITING) for (const to of NON_RUNNING) expect(sourcesOf(to)).toContain(from);
  });
  it.each([
    ['running', 'starting'],
    ['running', 'waiting_org_limit'],
    ['paused', 'waiting_capacity'],
    ['waiting_org_limit', 'waiting_capacity'],
  ] as const)('refuses %s to %s', (from, to) => expect(sourcesOf(to)).not.toContain(from));
});

const instance = (changes: Partial<InstanceObservation> = {}): InstanceObservation => ({
  index: 0,
  phase: 'running',
  status: 'running',
  workers: 1,
  pendingBytes: 0,
  ...changes,
});
const observation = (instances: InstanceObservation[], changes: Partial<JobObservation> = {}): JobObservation => ({
  exists: true,
  storeUp: true,
  instances,
  found: 5,
  done: 2,
  rateLimited: false,
  requiredCrawls: [],
  ...changes,
});
const run = (changes: Partial<JudgedRun> = {}): JudgedRun => ({
  state: 'running',
  started: at(0),
  stopReason: null,
  stopRequested: false,
  pauseRequested: false,
  hasRun: true,
  pagesDone: 0,
  proxyFailures: 0,
  filesAdded: 1,
  ...changes,
});
const done = (index = 0): InstanceObservation => instance({ index, phase: 'exited', status: 'done', exitCode: 0 });
const paused = (changes: Partial<InstanceObservation> = {}): InstanceObservation =>
  instance({ phase: 'exited', status: 'interrupted', exitCode: 0, ...changes });

describe('what an observation means', () => {
  const PAUSING = { stopReason: 'paused_org_readonly', pauseRequested: true };
  it.each<[string, JudgedRun, JobObservation, object]>([
    ['all done', run(), observation([done()]), { do: 'finish', to: 'complete' }],
    ['done, not yet exited', run(), observation([instance({ status: 'done' })]), { do: 'move', to: 'running' }],
    ['done after a stop', run({ stopReason: 'stopped_by_user' }), observation([done()]), { to: 'stopped_by_user' }],
    ['done after a limit', run({ stopReason: 'size-limit' }), observation([done()]), { to: 'complete' }],
    ['one page, no file', run({ filesAdded: 0 }), observation([done()], { found: 1 }), { to: 'failed' }],
    ['one of two done', run(), observation([done(), instance({ index: 1 })]), { do: 'move', to: 'running' }],
    ['paused', run(PAUSING), observation([paused()]), { do: 'move', to: 'paused_org_readonly' }],
    [
      'interrupted, not uploaded',
      run(PAUSING),
      observation([paused({ exitCode: 22, pendingBytes: 5000 })]),
      { to: 'waiting_capacity' },
    ],
    ['interrupted without a pause', run(), observation([paused()]), { do: 'stay' }],
    ['failed', run(), observation([instance({ phase: 'exited', status: 'failed', exitCode: 9 })]), { to: 'failed' }],
    [
      'stopped before any page',
      run({ stopReason: 'stopped_by_user' }),
      observation([instance({ phase: 'exited', status: 'failed', exitCode: 9 })], { done: 0 }),
      { to: 'canceled' },
    ],
    [
      'crashed',
      run(),
      observation([instance({ phase: 'backoff', status: 'interrupted', exitCode: 10 })]),
      { to: 'waiting_capacity' },
    ],
    [
      'crashed for too many requests',
      run(),
      observation([instance({ phase: 'backoff', status: 'interrupted', exitCode: 18, exitedAt: at(1) })]),
      { to: 'rate-limited' },
    ],
    [
      'crashed for good',
      run(),
      observation([instance({ phase: 'backoff', exitCode: 17, exitedAt: at(1) })]),
      { to: 'failed' },
    ],
    [
      'not logged in',
      run(),
      observation([instance({ phase: 'exited', status: 'failed', exitCode: 9 })], { failReason: 'not_logged_in' }),
      { to: 'failed_not_logged_in' },
    ],
    ['store gone', run(), observation([instance()], { storeUp: false }), { to: 'waiting_capacity' }],
    [
      'starting',
      run({ state: 'starting' }),
      observation([instance({ phase: 'pending', status: undefined })]),
      { do: 'stay' },
    ],
    [
      'starting, no status yet',
      run({ state: 'starting' }),
      observation([instance({ status: undefined })]),
      { do: 'stay' },
    ],
    [
      'packing in one of two',
      run(),
      observation([instance({ status: 'generate-wacz' }), instance({ index: 1 })]),
      { to: 'generate-wacz' },
    ],
    ['limited', run(), observation([instance()], { rateLimited: true }), { to: 'rate-limited' }],
  ])('%s', (_name, judged, seen, expected) => {
    expect(judge(judged, seen, at(100))).toMatchObject(expected);
  });
  it('waits for capacity at once where the driver knows that it does', () => {
    const seen = observation([instance({ phase: 'pending', status: undefined })], { capacityWait: 'All taken.' });
    expect(judge(run({ state: 'starting' }), seen, at(1))).toEqual({ do: 'move', to: 'waiting_capacity' });
  });
  it('waits for capacity after 150 seconds of starting', () => {
    expect(judge(run({ state: 'starting' }), observation([]), at(149))).toEqual({ do: 'stay' });
    expect(judge(run({ state: 'starting' }), observation([]), at(150))).toEqual({ do: 'move', to: 'waiting_capacity' });
  });
});

describe('a stop that neither a page nor a file came of', () => {
  const asked = { stopRequested: true, stopReason: 'stopped_by_user', filesAdded: 0 };
  const waiting = instance({ phase: 'pending', status: undefined });
  it.each<[string, Partial<JudgedRun>, JobObservation, object]>([
    ['ends what is done', {}, observation([done()], { done: 0, found: 3 }), { to: 'canceled' }],
    ['ends what waits', { hasRun: false }, observation([waiting], { done: 0, storeUp: false }), { to: 'canceled' }],
    [
      'ends what crashed',
      {},
      observation([instance({ phase: 'backoff', exitCode: 17 })], { done: 0 }),
      { to: 'canceled' },
    ],
    ['waits for what runs', {}, observation([instance()], { done: 0 }), { to: 'running' }],
    ['waits for a store', {}, observation([], { done: 0, storeUp: false }), { to: 'waiting_capacity' }],
    ['knows the pages of before', { pagesDone: 1 }, observation([], { done: 0 }), { to: 'waiting_capacity' }],
    [
      'leaves one with a file',
      { filesAdded: 1 },
      observation([done()], { done: 0, found: 3 }),
      { to: 'stopped_by_user' },
    ],
    [
      'is none',
      { stopRequested: false, stopReason: null },
      observation([done()], { done: 0, found: 3 }),
      { to: 'complete' },
    ],
  ])('%s', (_name, changes, seen, expected) => {
    expect(judge(run({ ...asked, ...changes }), seen, at(100))).toMatchObject(expected);
  });
});

describe('why a run stops', () => {
  const facts = (changes: Partial<StopFacts> = {}): StopFacts => ({
    stopRequested: false,
    pausedAt: null,
    elapsedMs: 60_000,
    timeoutSeconds: 0,
    sizeBytes: 100,
    maxSizeBytes: 0,
    orgReadOnly: false,
    storageQuotaReached: false,
    execQuotaReached: false,
    rateLimitedAt: null,
    rateLimitMinutes: 720,
    ...changes,
  });
  it.each<[string, Partial<StopFacts>, object | null]>([
    ['nothing', {}, null],
    [
      'a stop before all',
      { stopRequested: true, orgReadOnly: true, pausedAt: at(0) },
      { reason: 'stopped_by_user', pause: false },
    ],
    ['time', { timeoutSeconds: 59 }, { reason: 'time-limit', pause: false }],
    ['time not yet', { timeoutSeconds: 60 }, null],
    ['size', { maxSizeBytes: 99 }, { reason: 'size-limit', pause: false }],
    ['size not yet', { maxSizeBytes: 100 }, null],
    ['read-only', { orgReadOnly: true, storageQuotaReached: true }, { reason: 'paused_org_readonly', pause: true }],
    [
      'storage',
      { storageQuotaReached: true, execQuotaReached: true },
      { reason: 'paused_storage_quota_reached', pause: true },
    ],
    ['time quota', { execQuotaReached: true }, { reason: 'paused_time_quota_reached', pause: true }],
    ['rate limit', { rateLimitedAt: at(-43_201) }, { reason: 'paused_rate_limit_time_reached', pause: true }],
    ['rate limit not yet', { rateLimitedAt: at(-43_200) }, null],
    ['rate limit never', { rateLimitedAt: at(-999_999), rateLimitMinutes: 0 }, null],
    ['a pause', { pausedAt: at(0) }, { reason: 'paused', pause: true }],
  ])('%s', (_name, changes, expected) => expect(stopReason(facts(changes), at(0))).toEqual(expected));
});

describe('running time', () => {
  const job = { instances: [], lastActiveTime: null };
  it('adds instances up and clips them to the span', () => {
    const seen = [
      instance({ startedAt: at(-100) }),
      instance({ index: 1, phase: 'exited', startedAt: at(0), exitedAt: at(20), exitCode: 0 }),
    ];
    expect(execTime(job, seen, at(10), at(60))).toMatchObject({ totalMs: 60_000, longestMs: 50_000 });
  });
  it('counts a run that ended unseen up to when it was last seen', () => {
    const before = {
      instances: [{ index: 0, startedAt: at(0), exitedAt: null, exitCode: null, pendingBytes: 0 }],
      lastActiveTime: at(40),
    };
    const now = [instance({ startedAt: at(55) })];
    expect(hasNewExit(before.instances, now)).toBe(true);
    expect(execTime(before, now, at(0), at(60)).totalMs).toBe(45_000);
    expect(execTime(before, [], at(0), at(60)).totalMs).toBe(40_000);
  });
  it('is split by calendar month', () => {
    const november = new Date('2026-11-30T23:59:50Z');
    const december = new Date('2026-12-01T00:00:20Z');
    const { byMonth } = execTime(job, [instance({ startedAt: november })], november, december);
    expect(byMonth).toEqual({ '2026-11': 10_000, '2026-12': 20_000 });
    expect(isAccountingDue(november, december, false)).toBe(true);
  });
  it('is exact over the run though written in whole seconds', () => {
    let ms = 0;
    let written = 0;
    for (let i = 0; i < 10; i += 1) {
      written += wholeSeconds(ms, { m: 1700 })['m'] ?? 0;
      ms += 1700;
    }
    expect(written).toBe(17);
  });
});

describe('ids', () => {
  it('are those of the contract', () => {
    const cid = '0e138ad6-b8c0-4c2d-9e3f-1a2b3c4d5e6f';
    expect(manualCrawlId(cid, new Date('2026-11-21T05:42:15Z'))).toBe('manual-20261121054215-0e138ad6-b8c');
    expect(scheduledCrawlId(cid, new Date(120_000))).toBe('sched-0e138ad6-b8c-2');
  });
  it('of log lines are the same each time and are version 5', () => {
    expect(logLineId('job', 7)).toBe(logLineId('job', 7));
    expect(logLineId('job', 7)).not.toBe(logLineId('job', 8));
    expect(logLineId('job', 7)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('pages that crawlers hand over', () => {
  it('tells files and errors from pages', () => {
    const page = { id: 'not-a-uuid', url: 'HTTPS://Site.example', loadState: 2, ts: '2026-11-21T00:00:00.500Z' };
    expect(toPage('c', { ...page, mime: 'application/pdf' }, at(0))).toMatchObject({
      isFile: true,
      status: 200,
      url: 'https://site.example/',
    });
    expect(toPage('c', { ...page, title: 'T' }, at(0))).toMatchObject({ isFile: false, mime: 'text/html' });
    expect(toPage('c', { ...page, loadState: 0 }, at(0))).toMatchObject({ isError: true, status: undefined });
    expect(toPage('c', page, at(0))._id).toBe(toPage('c', page, at(9))._id);
  });
});

describe('the crawler’s config', () => {
  const config = {
    seeds: [{ url: 'https://a.example/', depth: null }],
    seedFileId: null,
    limit: 5,
    scopeType: 'page',
    behaviors: 'autoscroll,autoclick',
    exclude: null,
    dedupePagesMinDepth: 1,
  } as never;
  it('has no nulls, and no behavior that its image lacks', () => {
    expect(driverConfig(config, { hasAutoclick: false, seedFileUrl: 'http://x/y' })).toEqual({
      seeds: [{ url: 'https://a.example/' }],
      limit: 5,
      scopeType: 'page',
      behaviors: 'autoscroll',
      seedFile: 'http://x/y',
    });
  });
  it('says from which depth on pages may be skipped only where there is a collection to compare with', () => {
    const depthOf = (isCompared?: boolean) =>
      driverConfig(config, { hasAutoclick: true, ...(isCompared === undefined ? {} : { isCompared }) })[
        'dedupePagesMinDepth'
      ];
    expect([depthOf(), depthOf(false), depthOf(true)]).toEqual([undefined, undefined, 1]);
  });
  it('names WARCs by org and workflow, or host', () => {
    expect(warcPrefix('my-org', 'Käse & Co', 'https://a.example/')).toBe('my-org-kase-co');
    expect(warcPrefix('my-org', '', 'https://www.a.example/x')).toBe('my-org-www-a-example');
  });
});

describe('single-page configs', () => {
  const seed = {
    url: 'https://a/',
    scopeType: null,
    include: null,
    exclude: null,
    sitemap: null,
    allowHash: null,
    depth: null,
    extraHops: null,
  };
  const config = { seeds: [seed], limit: 0, scopeType: 'page' as const, extraHops: 0, alwaysAddBehaviorLinks: false };
  it.each([
    ['one seed of scope page', config, true],
    ['a page limit of one', { ...config, scopeType: 'prefix' as const, limit: 1, alwaysAddBehaviorLinks: true }, true],
    [
      'the scope of the seed before that of the config',
      { ...config, seeds: [{ ...seed, scopeType: 'prefix' as const }] },
      false,
    ],
    ['extra hops', { ...config, extraHops: 1 }, false],
    ['links that behaviors add', { ...config, alwaysAddBehaviorLinks: true }, false],
    ['two seeds', { ...config, seeds: [seed, seed] }, false],
    ['two seeds and a limit of one', { ...config, seeds: [seed, seed], limit: 1 }, false],
    ['a seed file', { ...config, seeds: [] }, false],
  ])('%s', (_, judged, expected) => {
    expect(isSinglePage(judged)).toBe(expected);
  });
});

/**
 * Lists that clients poll: errors of a crawl with 888,000 lines, workflows with 10,000 crawls, running counts.
 * `npm run build && node bench/crawl-lists.mjs [calls]`
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { helpOr, load, ms, print, quantile } from './lib/command.mjs';
import { ADMIN, reader, startService, timesOf, tokenOf } from './lib/service.mjs';

helpOr(
  'node bench/crawl-lists.mjs [calls]: GET crawls/{id}/errors on the first, last and any page of 888,000 lines, GET\n' +
    'crawlconfigs with 1,000 workflows and 10,000 crawls by every sort, GET crawlconfigs/running in three series; p50, p95\n' +
    'and worst of calls one after another (default: 200 calls each), the very first one, and the CPU of service and mongod.\n' +
    'Measures once mongod is quiet after the filling, and after calls that warm up. Takes 1 to 3 minutes.',
);
const CALLS = Number(process.argv[2] ?? 200);
const LINES = 888_000;
const WORKFLOWS = 1000;
const CRAWLS_EACH = 10;
const RUNNING = 20;
const CHUNK = 2000;
/** Calls before those that count. */
const WARM_UP = 50;
/** A client asks for these all the time. */
const WARM_UP_POLLED = 500;
const SERIES_POLLED = 3;
const SORTS = ['created', 'modified', 'firstSeed', 'lastCrawlTime', 'lastCrawlStartTime', 'lastRun', 'name'];

const { UUID } = mongoose.mongo;
const service = await startService();

async function insert(name, count, make) {
  for (let at = 0; at < count; at += CHUNK) {
    const documents = Array.from({ length: Math.min(CHUNK, count - at) }, (_, i) => make(at + i));
    await service.db.collection(name).insertMany(documents, { ordered: false });
  }
}

try {
  const admin = await tokenOf(service.url, ADMIN);
  const call = async (path, body) => {
    const headers = { ...admin, ...(body ? { 'content-type': 'application/json' } : {}) };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const response = await fetch(`${service.url}${path}`, init);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  };
  const oid = (await call('/orgs')).items[0].id;
  const org = `/orgs/${oid}`;
  const config = { seeds: [{ url: 'https://example.com/' }] };
  const { run_now_job: crawlId } = await call(`${org}/crawlconfigs/`, { name: 'The first', config, runNow: true });
  const workflow = await service.db.collection('crawl_configs').findOne({});
  const crawl = await service.db.collection('crawls').findOne({ _id: crawlId });

  const start = Date.UTC(2026, 0, 1);
  await insert('crawl_logs', LINES, (n) => ({
    _id: new UUID(randomUUID()),
    crawlId,
    oid: crawl.oid,
    qaRunId: null,
    timestamp: new Date(start + n * 250),
    logLevel: 'error',
    context: 'pageStatus',
    message: 'Page load failed',
    details: { page: `https://example.com/${n}`, msg: 'net::ERR_CONNECTION_RESET', retry: 2 },
    errorNo: n,
  }));
  const ids = Array.from({ length: WORKFLOWS }, () => new UUID(randomUUID()));
  const at = (n) => new Date(start + n * 60_000);
  await insert('crawl_configs', WORKFLOWS, (n) => ({
    ...workflow,
    _id: ids[n],
    name: `Workflow ${(n * 7919) % WORKFLOWS}`,
    firstSeed: `https://site-${(n * 31) % WORKFLOWS}.example/`,
    created: at(n),
    modified: at((n * 17) % WORKFLOWS),
    isCrawlRunning: n < RUNNING,
    lastCrawlId: `manual-x-${n}`,
    lastCrawlStartTime: at((n * 3) % WORKFLOWS),
    lastCrawlTime: n < RUNNING ? null : at((n * 13) % WORKFLOWS),
    lastRun: at((n * 5) % WORKFLOWS),
    lastCrawlState: n < RUNNING ? 'running' : 'complete',
  }));
  await insert('crawls', WORKFLOWS * CRAWLS_EACH, (n) => {
    const isRunning = n < RUNNING;
    return {
      ...crawl,
      _id: `manual-20260101000000-${n.toString(16).padStart(12, '0')}`,
      cid: ids[n % WORKFLOWS],
      state: isRunning ? ['running', 'paused', 'waiting_capacity'][n % 3] : 'complete',
      started: at(n),
      finished: isRunning ? null : at(n + 5),
    };
  });

  const read = reader(service.url, admin);
  const figure = async (title, path, check, { warmUp = WARM_UP, series = 1 } = {}) => {
    const ask = async (n) => {
      if (!check(await read(path(n)))) throw new Error(`${path(n)} answered something else`);
    };
    const [first] = await timesOf(ask, 1, 0);
    await timesOf(ask, warmUp, 0);
    for (let n = 0; n < series; n++) {
      const [own, all] = [service.cpuSeconds() * 1000, service.cpu()];
      const times = await timesOf(ask, CALLS, 0);
      const cpu = { service: service.cpuSeconds() * 1000 - own, all: service.cpu() - all };
      const [p50, p95, worst] = [0.5, 0.95, 1].map((share) => ms(quantile(times, share)));
      const each = `CPU a call: service ${ms(cpu.service / CALLS)}, mongod ${ms((cpu.all - cpu.service) / CALLS)}`;
      print(`${title}: p50 ${p50}, p95 ${p95}, worst ${worst}, very first ${ms(first)}; ${each}`);
    }
  };
  await service.settled();
  const pages = LINES / 1000;
  const errors = (page) => `${org}/crawls/${crawlId}/errors?pageSize=1000&page=${page}`;
  const small = (page) => `${org}/crawls/${crawlId}/errors?pageSize=100&page=${page}`;
  const isPage = (size) => (body) => body.total === LINES && body.items.length === size;
  await figure('errors, 100 lines, first page', () => small(1), isPage(100));
  await figure('errors, 100 lines, last page', () => small(LINES / 100), isPage(100));
  await figure('errors, 100 lines, any page', (n) => small(((n * 4799) % (LINES / 100)) + 1), isPage(100));
  await figure(
    'errors, 100 lines, any page, newest first',
    (n) => `${small(((n * 4799) % (LINES / 100)) + 1)}&sortDirection=-1`,
    isPage(100),
  );
  await figure('errors, 1,000 lines, any page', (n) => errors(((n * 479) % pages) + 1), isPage(1000));
  for (const sort of SORTS)
    await figure(
      `workflows, 100 of ${WORKFLOWS + 1} by ${sort}`,
      (n) => `${org}/crawlconfigs?pageSize=100&page=${(n % 10) + 1}&sortBy=${sort}&sortDirection=${n % 2 ? 1 : -1}`,
      (body) => body.total === WORKFLOWS + 1 && body.items.length === 100,
    );
  await figure(
    'workflows, the 20 running',
    () => `${org}/crawlconfigs?pageSize=100&isCrawlRunning=true`,
    (body) => body.items.length >= RUNNING,
  );
  await service.settled();
  await figure(
    'running counts',
    () => `${org}/crawlconfigs/running`,
    (body) => body.totalRunningPausedWaiting >= RUNNING,
    { warmUp: WARM_UP_POLLED, series: SERIES_POLLED },
  );
  print(load());
} finally {
  await service.stop();
}

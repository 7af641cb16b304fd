/**
 * What a thousand running crawls cost one API process. See `--help`.
 * `npm run build && node bench/supervisor.mjs [crawls] [--tick seconds]`
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ascending, helpOr, load, option, print, quantile } from './lib/command.mjs';
import { ADMIN, startService, tokenOf } from './lib/service.mjs';

helpOr(
  'node bench/supervisor.mjs [crawls] [--tick seconds] [--seconds n]: fake crawls (default 1,000) of ten orgs run in\n' +
    'one API process, two pages a second each; how late the supervisor looks at each, how long a look takes, and what\n' +
    'CPU time service and database use for each second. --tick: OPERATOR_RESYNC_SECONDS (default 3, as in the\n' +
    'service). --seconds: how long is measured (default 40).',
);
const CRAWLS = Number(/^\d+$/.test(process.argv[2] ?? '') ? process.argv[2] : 1000);
const TICK = option('tick', '3');
const SECONDS = Number(option('seconds', '40'));
const ORGS = 10;
const CLIENTS = 8;

const watch = ['--import', path.join(import.meta.dirname, 'lib', 'watch-supervisor.mjs')];
const service = await startService({ OPERATOR_RESYNC_SECONDS: TICK }, watch);
try {
  const headers = { ...(await tokenOf(service.url, ADMIN)), 'content-type': 'application/json' };
  const call = async (route, body) => {
    const response = await fetch(`${service.url}${route}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const orgs = [];
  for (let n = 0; n < ORGS; n++) {
    const { id } = await call('/orgs/create', { name: `Org ${n}`, slug: `org-${n}` });
    // A quota, so that what the others collect is looked at.
    await call(`/orgs/${id}/quotas`, { storageQuota: 1e12 });
    orgs.push(id);
  }
  let next = 0;
  const start = async () => {
    for (let n = next++; n < CRAWLS; n = next++) {
      const config = { seeds: [{ url: `https://site-${n}.example/` }], scopeType: 'prefix' };
      await call(`/orgs/${orgs[n % ORGS]}/crawlconfigs/`, { name: `Crawl ${n}`, runNow: true, config });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, start));
  const running = () => service.db.collection('crawls').countDocuments({ state: 'running' });
  for (const end = Date.now() + 120_000; (await running()) < CRAWLS; await delay(500))
    if (Date.now() > end) throw new Error(`only ${await running()} of ${CRAWLS} crawls run`);
  await delay(Number(TICK) * 2000);

  await service.ask('reset');
  const [cpuBefore, allBefore, began] = [service.cpuSeconds(), service.cpu(), performance.now()];
  await delay(SECONDS * 1000);
  const seconds = (performance.now() - began) / 1000;
  const [cpu, all] = [service.cpuSeconds() - cpuBefore, (service.cpu() - allBefore) / 1000];
  const figures = await service.ask('read');
  const [late, took] = [figures.late, figures.took].map(ascending);
  const both = (values) => `p50 ${quantile(values, 0.5).toFixed(0)}, p95 ${quantile(values, 0.95).toFixed(0)} ms`;
  print(
    `${await running()} crawls run, each looked at every ${TICK} s; ${(took.length / seconds).toFixed(0)} looks a second`,
  );
  print(`late ${both(late)}; a look takes ${both(took)}`);
  print(
    `CPU of the service: ${(cpu / seconds).toFixed(2)} s for each second, ${((cpu * 1000) / took.length).toFixed(2)} ms a look`,
  );
  print(`CPU of the database: ${((all - cpu) / seconds).toFixed(2)} s for each second`);
  print(`event loop late (p99) ${figures.p99.toFixed(0)} ms; ${(figures.rss / 1e6).toFixed(0)} MB RSS; ${load()}`);
} finally {
  await service.stop();
}

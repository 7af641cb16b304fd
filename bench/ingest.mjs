/**
 * How fast pages come from Redis into the database. See `--help`. `npm run build && node bench/ingest.mjs [pages]`
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { endChild, freePort } from '../scripts/provision/lib.mjs';
import { findRedis } from '../scripts/provision/redis.mjs';
import { helpOr, load, print, scratchDir } from './lib/command.mjs';
import { cpuSeconds } from './lib/cpu.mjs';
import { startIdleEngine } from './lib/idle-engine.mjs';
import { ADMIN, startService, tokenOf } from './lib/service.mjs';

helpOr(
  'node bench/ingest.mjs [pages]: the page messages of one crawl (default 200,000), put into a real Redis, are drained\n' +
    'by one API process into a mongod with all indexes of pages; pages a second, and the CPU time of each process.',
);
const PAGES = Number(process.argv[2] ?? 200_000);
const PUSHED_AT_ONCE = 5_000;

const dir = scratchDir();
const binary = await findRedis();
if (!binary) throw new Error('there is no redis-server');
const port = await freePort();
const redisServer = spawn(
  binary,
  ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'],
  { stdio: 'ignore' },
);
const redisUrl = `redis://127.0.0.1:${port}/0`;
const redis = new Redis(redisUrl);
redis.on('error', () => undefined);
const socket = path.join(dir, 'engine.sock');
const endEngine = await startIdleEngine(socket);
const storages = path.join(dir, 'storages.json');
const endpoint_url = 'http://127.0.0.1:9/';
writeFileSync(
  storages,
  JSON.stringify([
    {
      name: 'default',
      type: 's3',
      access_key: 'a',
      secret_key: 'b',
      bucket_name: 'b',
      endpoint_url,
      is_default_primary: true,
    },
  ]),
);
const service = await startService({
  CRAWL_DRIVER: 'docker',
  CRAWL_REDIS_URL: redisUrl,
  DOCKER_HOST: `unix://${socket}`,
  STORAGES_JSON: storages,
  ALLOW_PRIVATE_ADDRESSES: 'crawls,storages',
});
try {
  const headers = { ...(await tokenOf(service.url, ADMIN)), 'content-type': 'application/json' };
  const { items } = await (await fetch(`${service.url}/orgs`, { headers })).json();
  const config = { seeds: [{ url: 'https://site.example/' }], scopeType: 'prefix' };
  const body = JSON.stringify({ name: 'Crawl', runNow: true, config });
  const made = await fetch(`${service.url}/orgs/${items[0].id}/crawlconfigs/`, { method: 'POST', headers, body });
  const { run_now_job: id } = await made.json();
  const running = () => service.db.collection('crawls').countDocuments({ _id: id, state: 'running' });
  for (; (await running()) === 0; await delay(100)) await redis.hset(`${id}:status`, `crawl-${id}-0`, 'running');

  const used = () => ({ service: service.cpuSeconds(), all: service.cpu() / 1000, redis: cpuSeconds(redisServer.pid) });
  const pages = service.db.collection('pages');
  const before = used();
  const began = performance.now();
  for (let from = 0; from < PAGES; from += PUSHED_AT_ONCE)
    await redis.lpush(
      `${id}:pages`,
      ...Array.from({ length: Math.min(PUSHED_AT_ONCE, PAGES - from) }, (_, i) => message(from + i)),
    );
  const pushed = (performance.now() - began) / 1000;
  while ((await pages.estimatedDocumentCount()) < PAGES) await delay(100);
  const seconds = (performance.now() - began) / 1000;
  const after = used();
  const cpu = after.service - before.service;
  const mongod = after.all - before.all - cpu;
  print(
    `${PAGES} pages in ${seconds.toFixed(1)} s (${pushed.toFixed(1)} s of it beside the pushing): ${(PAGES / seconds).toFixed(0)} a second`,
  );
  print(
    `CPU: service ${cpu.toFixed(1)} s, mongod ${mongod.toFixed(1)} s, Redis ${(after.redis - before.redis).toFixed(1)} s; ` +
      `for each second of the service's ${(PAGES / cpu).toFixed(0)} pages, of mongod's ${(PAGES / mongod).toFixed(0)}; ${load()}`,
  );
  await printSizes();
} finally {
  await service.stop();
  redis.disconnect();
  redisServer.kill('SIGTERM');
  await endChild(redisServer);
  endEngine();
}

/** What one of each thing takes, for the arithmetic of docs/scale.md. */
async function printSizes() {
  for (const name of ['pages', 'crawls', 'crawl_jobs']) {
    const { avgObjSize, totalIndexSize, count, nindexes } = await service.db.command({ collStats: name });
    print(
      `${name}: ${avgObjSize} bytes a document, ${Math.round(totalIndexSize / count)} of ${nindexes} indexes (${count} documents)`,
    );
  }
  const SAMPLE = 10_000;
  const urls = Array.from({ length: SAMPLE }, (_, n) => `https://site.example/section-${n % 97}/page-${n}.html`);
  await redis.lpush('sample:pages', ...urls.map((_, n) => message(n)));
  await redis.sadd('sample:s', ...urls);
  await redis.zadd(
    'sample:q',
    ...urls.flatMap((url, n) => [n, JSON.stringify({ url, seedId: 0, depth: 1, extraHops: 0 })]),
  );
  for (const [key, what] of Object.entries({ pages: 'page message', s: 'URL seen', q: 'URL queued' }))
    print(
      `Redis: ${Math.round((await redis.memory('USAGE', `sample:${key}`, 'SAMPLES', 0)) / SAMPLE)} bytes a ${what}`,
    );
}

/** As the crawler sends it. */
function message(n) {
  return JSON.stringify({
    ...{
      id: randomUUID(),
      url: `https://site.example/section-${n % 97}/page-${n}.html`,
      title: `Page number ${n} of a site`,
    },
    ...{
      loadState: 4,
      status: 200,
      mime: 'text/html',
      depth: 1 + (n % 5),
      ts: new Date(1.7e12 + n * 1000).toISOString(),
    },
    ...{ favIconUrl: 'https://site.example/favicon.ico', filename: 'crawl-20261122-0.wacz' },
  });
}

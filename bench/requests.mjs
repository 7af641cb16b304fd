/** CPU of service and database for one request of each kind that clients make most; see USAGE. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { fillArchive } from './lib/archive.mjs';
import { ascending, helpOr, load, median, ms, option, print, quantile } from './lib/command.mjs';
import { ADMIN, reader, startService, timesOf, tokenOf } from './lib/service.mjs';

const USAGE = `
npm run build && node bench/requests.mjs [--times 1] [--calls 40] [--rounds 5] [--keep FOLDER] [--only TEXT] [--profile FOLDER]

Fills a database with 10,000 crawls and 200,000 pages, 20,000 of them of one crawl with a QA run, 200 workflows, 200
collections and 5,000 webhook notifications, and asks for each list of issue 16: CPU of the service and of mongod for
one request, beside the goal. All requests take turns, --calls times each in every round, and a round that is not
counted comes first, so that code is compiled and the machine's other work meets all of them alike. The figure is the
median of the rounds, the best beside it. --times multiplies the data, --keep leaves the filled database in a folder
and takes it from there the next time, --only asks the requests whose title has the text, --profile leaves a CPU
profile of the service in a folder.
`;
const WORKFLOWS = 200;
const NOTIFICATIONS = 5_000;
const DAY = 86_400_000;

helpOr(USAGE);
const times = Number(option('times', 1));
const calls = Number(option('calls', 40));
const rounds = Number(option('rounds', 5));
const only = option('only', '');
const kept = option('keep', null);
const profile = option('profile', null);
if (kept) mkdirSync(kept, { recursive: true });
const { UUID } = mongoose.mongo;
// A profile is written when the process ends by itself.
const END = 'data:text/javascript,process.once("SIGTERM",()=>process.exit(0))';
const service = await startService(
  {},
  profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--import=${END}`] : [],
  kept ?? undefined,
);

try {
  const admin = await tokenOf(service.url, ADMIN);
  const read = reader(service.url, admin);
  const { items } = await read('/orgs');
  const oid = items[0].id;
  const world = await filled(oid, admin);
  await service.settled();
  const asked = requestsOf(oid, world).filter(([title]) => title.includes(only));
  const figures = new Map(asked.map(([title]) => [title, []]));
  for (let round = 0; round <= rounds; round++)
    for (const request of asked) {
      const figure = await measured(read, request);
      if (round > 0) figures.get(request[0]).push(figure);
    }
  for (const [title, goal] of asked) print(told(title, goal, figures.get(title)));
  print(load());
} finally {
  await service.stop();
}

/** Milliseconds of CPU of one call, and how long the calls took. */
async function measured(read, [, , route, isRight, change]) {
  const ask = async (n) => {
    const body = await read(route, change?.(n));
    if (!isRight(body)) throw new Error(`${route} answered something else: ${JSON.stringify(body).slice(0, 300)}`);
  };
  const before = service.fineCpu();
  const taken = await timesOf(ask, calls, 0);
  const after = service.fineCpu();
  const [own, mongod] = [(after.service - before.service) / calls, (after.mongod - before.mongod) / calls];
  return { own, mongod, both: own + mongod, p50: quantile(taken, 0.5) };
}

function told(title, goal, figures) {
  const of = (what) => figures.map((one) => one[what]);
  const parts = `service ${ms(median(of('own')))}, mongod ${ms(median(of('mongod')))}`;
  const [best] = ascending(of('both'));
  return `${title}: CPU ${ms(median(of('both')))}, best ${ms(best)}, of at most ${goal} (${parts}), p50 ${ms(median(of('p50')))}`;
}

async function filled(oid, headers) {
  const file = kept && path.join(kept, 'world.json');
  if (file && existsSync(file)) {
    const { of, ...world } = JSON.parse(readFileSync(file, 'utf8'));
    if (of !== times) throw new Error(`${kept} holds ${of} times the data`);
    return world;
  }
  const config = { seeds: [{ url: 'https://example.com/' }] };
  const response = await fetch(`${service.url}/orgs/${oid}/crawlconfigs/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'The first', config }),
  });
  if (!response.ok) throw new Error(`the workflow was answered ${response.status}`);
  const world = await fillArchive(service.mongoUrl, {
    ...{ name: service.db.databaseName, oid, uploads: 100, collections: 200 },
    ...{ crawls: 10_000 * times, pages: 200_000 * times, big: { items: 1, pages: 20_000 * times } },
  });
  const workflow = await service.db.collection('crawl_configs').findOne({});
  await service.db.collection('crawl_configs').insertMany(
    world.cids.slice(0, WORKFLOWS).map((cid, n) => ({
      ...{ ...workflow, _id: new UUID(cid), name: `Workflow ${n}`, firstSeed: `https://site${n}.example/` },
      ...{ lastCrawlState: 'complete', lastRun: new Date(Date.UTC(2026, 0, 1) + n * DAY) },
    })),
  );
  await service.db.collection('webhooks').insertMany(
    Array.from({ length: NOTIFICATIONS * times }, (_, n) => ({
      ...{ _id: new UUID(randomUUID()), oid: new UUID(oid), event: 'crawlFinished', success: n % 9 > 0, attempts: 1 },
      body: {
        ...{ orgId: oid, event: 'crawlFinished', itemId: `manual-x-${n}`, state: 'complete' },
        resources: [{ name: 'crawl.wacz', path: 'https://example.com/crawl.wacz', hash: 'a'.repeat(64), size: 1e6 }],
      },
      ...{ created: new Date(Date.UTC(2026, 0, 1) + n * 1000), lastAttempted: new Date(Date.UTC(2026, 0, 1)) },
      tries: [{ at: new Date(Date.UTC(2026, 0, 1)), status: 200, latencyMs: 12, answer: 'OK' }],
    })),
  );
  if (file) writeFileSync(file, JSON.stringify({ of: times, ...world }));
  return world;
}

/** Title, most milliseconds of CPU, address, whether an answer is one, and what is sent with the n-th call. */
function requestsOf(oid, { item, qaRun, cids }) {
  const org = `/orgs/${oid}`;
  const has = (count) => (body) => body.items.length === count;
  const crawl = `${org}/crawls/${item}`;
  const thresholds = 'screenshotThresholds=0.5,0.9&textThresholds=0.5,0.9';
  return [
    ['users/me', 1.5, '/users/me', (body) => body.email === ADMIN.username],
    ['crawls, page of 100', 10, `${org}/crawls?pageSize=100`, has(100)],
    ['crawls, page 50 by size', 15, `${org}/crawls?pageSize=100&page=50&sortBy=fileSize`, has(100)],
    ['all-crawls, page of 100', 10, `${org}/all-crawls?pageSize=100`, has(100)],
    ['crawls by tag with review', 10, `${org}/crawls/tagCounts`, (body) => body.tags.length > 0],
    ['search values', 60, `${org}/all-crawls/search-values`, (body) => body.names.length > 0],
    ['replay.json of a crawl', 3, `${crawl}/replay.json`, (body) => body.resources.length > 0],
    ['pages, 100 of 20,000', 6, `${crawl}/pages?pageSize=100`, has(100)],
    ['QA pages filtered', 8, `${crawl}/qa/${qaRun}/pages?pageSize=100&qaFilterBy=screenshotMatch&lt=0.5`, has(100)],
    ['QA stats', 20, `${crawl}/qa/${qaRun}/stats?${thresholds}`, (body) => body.textMatch.length > 0],
    ['collections, page of 100', 6, `${org}/collections?pageSize=100`, has(100)],
    [
      'patch of a crawl',
      3,
      crawl,
      (body) => body.updated,
      (n) => ({ description: `Described ${n}`, tags: [`tag-${n % 9}`] }),
    ],
    ['crawls by workflow', 2.5, `${org}/crawls?cid=${cids[3]}&pageSize=10`, has(10)],
    ['workflows, page of 100', 10, `${org}/crawlconfigs?pageSize=100`, has(100)],
    ['webhooks, page of 100', 4, `${org}/webhooks?pageSize=100`, has(100)],
  ];
}

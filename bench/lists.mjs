/** Figures of lists and of replay.json; see USAGE. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { freePort } from '../scripts/provision/lib.mjs';
import { findMongod } from '../scripts/provision/mongod.mjs';
import { startMongod } from '../scripts/provision/mongod-server.mjs';
import { ascending, helpOr, load, option, print, quantile, scratchDir } from './lib/command.mjs';
import { fillArchive } from './lib/archive.mjs';
import { plansOf } from './lib/plans.mjs';
import { startProduct } from './lib/product.mjs';

const USAGE = `
npm run build && node bench/lists.mjs [--pages 2000000] [--crawls 10000] [--uploads 1000] [--collections 200] [--runs 20] [--keep FOLDER] [--only TEXT]

Fills a database, starts the product on it and asks for every list with each filter and each order that the contract
offers, first page and last, and for replay.json of a collection of 1,000 files. Tells the 95th percentile of each
request's time at the client, the slowest requests, and of what is over 50 ms the plan of each read. A
request is repeated --runs times, or for a second if that is shorter, but five times at least. --keep leaves the filled
database in a folder and takes it from there the next time; --only asks the requests whose address has the text.
`;
const LIMIT_MS = 50;
const PAGE_SIZE = 25;
/** Slow requests are repeated less often, so that the whole ends. */
const BUDGET_MS = 1_000;
const MIN_RUNS = 5;
/** Of each list. */
const MOST_TOLD = 10;

helpOr(USAGE);
const number = (name, fallback) => Number(option(name, fallback));
const runs = number('runs', 20);
const only = option('only', '');
const sizes = {
  ...{ crawls: number('crawls', 10_000), uploads: number('uploads', 1_000) },
  ...{ collections: number('collections', 200), pages: number('pages', 2_000_000) },
};
const kept = option('keep', null);
const dir = kept ?? scratchDir();
mkdirSync(dir, { recursive: true });
const mongod = await startMongod({
  binary: await findMongod(),
  dataDir: path.join(dir, 'db'),
  port: await freePort(),
  cacheGb: 1,
});
const env = { MONGO_DB_URL: mongod.url, MONGO_DB_NAME: 'bench' };
let product;
try {
  const world = await filled();
  product = await startProduct(env);
  const { oid } = product;
  print(
    Object.entries(sizes)
      .map(([what, count]) => `${count} ${what}`)
      .join(', '),
  );
  const results = [];
  for (const [list, requests] of Object.entries(listsOf(oid, world))) {
    const measured = [];
    for (const query of requests) measured.push(...(await firstAndLast(list, query)));
    if (measured.length === 0) continue;
    await report(list, measured);
    results.push(...measured);
  }
  if (results.length > 0) summary('all lists together', results);
  await replay(oid, world.collections[0]);
  print(load());
} finally {
  await product?.stop();
  await mongod.stop();
}

/** The archive of an earlier run with the same sizes, or a new one. */
async function filled() {
  const file = path.join(dir, 'world.json');
  const wanted = JSON.stringify(sizes);
  if (existsSync(file)) {
    const { of, ...world } = JSON.parse(readFileSync(file, 'utf8'));
    if (of === wanted) return world;
    throw new Error(`${dir} holds another archive: ${of}`);
  }
  // The first start makes the default organization and the indexes; the archive is the organization's.
  product = await startProduct(env);
  const { oid } = product;
  await product.stop();
  const began = performance.now();
  const world = await fillArchive(mongod.url, { name: 'bench', oid, ...sizes });
  print(`filled in ${Math.round((performance.now() - began) / 1000)} s`);
  writeFileSync(file, JSON.stringify({ of: wanted, ...world }));
  return world;
}

async function timed(route, headers = {}) {
  const began = performance.now();
  const response = await fetch(`${product.url}/api${route}`, {
    headers: { Authorization: `Bearer ${product.token}`, ...headers },
  });
  const text = await response.text();
  if (response.status >= 400) throw new Error(`${route}: ${response.status} ${text}`);
  return { ms: performance.now() - began, status: response.status, text, headers: response.headers };
}

function p95(times) {
  return quantile(ascending(times), 0.95);
}

async function measure(route, headers) {
  const times = [];
  await timed(route, headers);
  for (let i = 0, spent = 0; i < runs && (i < MIN_RUNS || spent < BUDGET_MS); i += 1) {
    const { ms } = await timed(route, headers);
    times.push(ms);
    spent += ms;
  }
  return { ms: p95(times), best: Math.min(...times) };
}

async function firstAndLast(list, query) {
  const route = (page) => `${list}?${new URLSearchParams([...query, ['page', page], ['pageSize', PAGE_SIZE]])}`;
  if (!route(1).includes(only)) return [];
  const { total } = JSON.parse((await timed(route(1))).text);
  const last = Math.max(1, Math.ceil((total ?? 0) / PAGE_SIZE));
  const pages = last > 1 ? [1, last] : [1];
  const measured = [];
  for (const page of pages) measured.push({ route: route(page), ...(await measure(route(page))) });
  return measured;
}

function summary(what, measured) {
  const over = measured.filter(({ ms }) => ms > LIMIT_MS);
  const all = p95(measured.map(({ ms }) => ms));
  const overAtBest = measured.filter(({ best }) => best > LIMIT_MS);
  print(
    `${what}: ${measured.length} requests, 95 % of them have a p95 up to ${all.toFixed(1)} ms, ` +
      `${over.length} over ${LIMIT_MS} ms, ${overAtBest.length} at their best too`,
  );
}

/** The slowest of a list, with the plans of those that are over the limit. */
async function report(what, measured) {
  summary(what, measured);
  const slowest = [...measured].sort((a, b) => b.ms - a.ms);
  for (const { route, ms, best } of slowest.filter(({ ms }, n) => n < 3 || (n < MOST_TOLD && ms > LIMIT_MS))) {
    print(`  ${ms.toFixed(1)} ms (best ${best.toFixed(1)})  ${route.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')}`);
    if (ms <= LIMIT_MS) continue;
    const plans = await plansOf(mongod.url, 'bench', () => timed(route));
    for (const plan of plans) print(`      ${plan}`);
  }
}

async function replay(oid, collectionId) {
  const route = `/orgs/${oid}/collections/${collectionId}/replay.json`;
  const { text, headers } = await timed(route);
  const { resources } = JSON.parse(text);
  const cold = await measure(route);
  const tag = headers.get('etag');
  const again = await timed(route, { 'If-None-Match': tag });
  if (again.status !== 304) throw new Error(`answered ${again.status} instead of 304`);
  const unchanged = await measure(route, { 'If-None-Match': tag });
  print(
    `replay.json of ${resources.length} files: p95 ${cold.ms.toFixed(1)} ms (best ${cold.best.toFixed(1)}), ` +
      `as 304 ${unchanged.ms.toFixed(1)} ms (best ${unchanged.best.toFixed(1)})`,
  );
}

/** Each filter with the default order, each order without a filter, and the filters that leave many with every order. */
function crossed(filters, orders, many = []) {
  const sorted = orders.flatMap((sortBy) =>
    [-1, 1].map((direction) => [
      ['sortBy', sortBy],
      ['sortDirection', direction],
    ]),
  );
  const all = [...filters.map((filter) => filter), ...sorted];
  for (const filter of many) for (const order of sorted) all.push([...filter, ...order]);
  return [[], ...all];
}

function listsOf(oid, { users, cids, collections, item, qaRun, tags, some }) {
  const states = [
    ['state', 'complete'],
    ['state', 'stopped_by_user'],
  ];
  const filters = {
    ...{ user: [['userid', users[1]]], workflow: [['cid', cids[1]]], name: [['name', 'Item 42']], states },
    ...{ description: [['description', 'About delta']], collection: [['collectionId', collections[0]]] },
    ...{ firstSeed: [['firstSeed', 'https://site7.example/']], tags: [['tags', tags[0]]] },
    ...{ anyTag: [...tags.map((tag) => ['tags', tag]), ['tagMatch', 'or']], ids: some.map((id) => ['ids', id]) },
    ...{ requires: [['requiresCrawls', 'manual-x']], requiredBy: [['requiredByCrawls', 'manual-x']] },
    ...{ hasRequires: [['hasRequiresCrawls', true]], hasRequiredBy: [['hasRequiredByCrawls', false]] },
    ...{ dedupe: [['dedupeCollId', randomUUID()]] },
  };
  const both = {
    ...filters,
    type: [['crawlType', 'upload']],
    review: [
      ['reviewStatus', 2],
      ['reviewStatus', 4],
    ],
  };
  const orders = ['started', 'finished', 'fileSize', 'reviewStatus', 'qaRunCount', 'lastQAState', 'lastQAStarted'];
  const crawlOrders = [...orders, 'firstSeed', 'crawlExecSeconds', 'pageCount'];
  const { user, name, description, collection, tags: tag } = filters;
  const pageFilters = [
    ...[
      // In 1,000, 200,000 and all 2,000,000 titles; together, never together, never so, and without another.
      ...['delta7', 'bridge', 'page', 'page delta7', 'bridge copper', 'page bridge copper'].map((words) => [
        ['search', words],
      ]),
      ...['"bridge page"', 'bridge -page'].map((words) => [['search', words]]),
      [['search', 'https://site']],
      [['url', 'https://site0.example/5/5']],
      [['isSeed', true]],
    ],
    ...[[['depth', 3]], [['ts', '2024-01-01T00:05:00Z']]],
  ];
  const itemFilters = [
    ...[...pageFilters, [['urlPrefix', 'https://site0.example/5']], [['reviewed', true]], [['reviewed', false]]],
    ...[[['approved', 'true']], [['approved', 'none']], [['hasNotes', true]], [['hasNotes', false]]],
  ];
  const pageOrders = ['url', 'title', 'notes', 'approved', 'ts', 'status', 'mime', 'filename', 'depth', 'isSeed'];
  const qaFilters = [
    ...[[['reviewed', true]], [['approved', 'none']], [['hasNotes', true]]],
    ...['screenshotMatch', 'textMatch'].flatMap((by) => [
      [
        ['qaFilterBy', by],
        ['gte', 0.5],
      ],
      [
        ['qaFilterBy', by],
        ['lt', 0.02],
      ],
    ]),
  ];
  const collectionOrders = [
    'created',
    'modified',
    'dateLatest',
    'name',
    'crawlCount',
    'pageCount',
    'totalSize',
    'description',
    'caption',
  ];
  const collectionFilters = [
    ...[[['name', 'collection 7']], [['namePrefix', 'coll']], [['hasDedupeIndex', true]], [['access', 'public']]],
  ];
  const ofAnyState = (filter) => [['runningOnly', false], ...filter];
  const acrossOrgs = [states, user, name, description, collection, filters.workflow, filters.firstSeed, filters.ids];
  return {
    '/orgs/all/crawls': crossed(acrossOrgs, crawlOrders).map(ofAnyState),
    [`/orgs/${oid}/all-crawls`]: crossed(Object.values(both), orders, [states, user, tag, collection]),
    [`/orgs/${oid}/crawls`]: crossed(Object.values(filters), crawlOrders, [states, user, tag, collection]),
    [`/orgs/${oid}/uploads`]: crossed([user, name, description, collection, [['state', 'complete']]], orders),
    [`/orgs/${oid}/collections`]: crossed(collectionFilters, collectionOrders, [[['access', 'public']]]),
    [`/orgs/${oid}/crawls/${item}/pages`]: crossed(itemFilters, pageOrders),
    [`/orgs/${oid}/crawls/${item}/qa/${qaRun}/pages`]: crossed(qaFilters, [
      ...pageOrders,
      'screenshotMatch',
      'textMatch',
    ]),
    [`/orgs/${oid}/collections/${collections[1]}/pages`]: crossed(pageFilters, pageOrders),
    [`/orgs/${oid}/collections/${collections[0]}/pages`]: crossed(pageFilters, pageOrders),
  };
}

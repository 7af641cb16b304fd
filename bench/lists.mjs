/** Figures of lists and of replay.json; see USAGE. */
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { freePort } from '../scripts/provision/lib.mjs';
import { findMongod } from '../scripts/provision/mongod.mjs';
import { startMongod } from '../scripts/provision/mongod-server.mjs';
import { fillArchive } from './lib/archive.mjs';
import { helpOr, load, option, print, scratchDir, startProduct } from './lib/product.mjs';

const USAGE = `
npm run build && node bench/lists.mjs [--pages 2000000] [--crawls 10000] [--uploads 1000] [--collections 200] [--runs 20]

Fills a database, starts the product on it and asks for every list with each filter and each order that the contract
offers, first page and last, and for replay.json of a collection of 1,000 files. Tells the 95th percentile of each
request's time at the client, the slowest requests, and what is over 50 ms.
`;
const LIMIT_MS = 50;
const PAGE_SIZE = 25;

helpOr(USAGE);
const number = (name, fallback) => Number(option(name, fallback));
const runs = number('runs', 20);
const dir = scratchDir();
const mongod = await startMongod({
  binary: await findMongod(),
  dataDir: path.join(dir, 'db'),
  port: await freePort(),
  cacheGb: 1,
});
const sizes = {
  ...{ crawls: number('crawls', 10_000), uploads: number('uploads', 1_000) },
  ...{ collections: number('collections', 200), pages: number('pages', 2_000_000) },
};
const env = { MONGO_DB_URL: mongod.url, MONGO_DB_NAME: 'bench' };
let product;
try {
  // The first start makes the default organization; the archive is its own.
  product = await startProduct(env);
  const { oid } = product;
  await product.stop();
  const world = await fillArchive(mongod.url, { name: 'bench', oid, ...sizes });
  product = await startProduct(env);
  print(
    Object.entries(sizes)
      .map(([what, count]) => `${count} ${what}`)
      .join(', '),
  );
  const results = [];
  for (const [list, requests] of Object.entries(listsOf(oid, world))) {
    const measured = [];
    for (const query of requests) measured.push(...(await firstAndLast(list, query)));
    report(list, measured);
    results.push(...measured);
  }
  report('all lists together', results);
  await replay(oid, world.collections[0]);
  print(load());
} finally {
  await product?.stop();
  await mongod.stop();
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
  return [...times].sort((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1];
}

async function measure(route, headers) {
  const times = [];
  await timed(route, headers);
  for (let i = 0; i < runs; i += 1) times.push((await timed(route, headers)).ms);
  return p95(times);
}

async function firstAndLast(list, query) {
  const route = (page) => `${list}?${new URLSearchParams([...query, ['page', page], ['pageSize', PAGE_SIZE]])}`;
  const { total } = JSON.parse((await timed(route(1))).text);
  const last = Math.max(1, Math.ceil((total ?? 0) / PAGE_SIZE));
  const pages = last > 1 ? [1, last] : [1];
  const measured = [];
  for (const page of pages)
    measured.push({ route: route(page).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…'), ms: await measure(route(page)) });
  return measured;
}

function report(what, measured) {
  const over = measured.filter(({ ms }) => ms > LIMIT_MS);
  const slowest = [...measured].sort((a, b) => b.ms - a.ms).slice(0, 3);
  const all = p95(measured.map(({ ms }) => ms));
  print(
    `${what}: ${measured.length} requests, 95 % of them have a p95 up to ${all.toFixed(1)} ms, ${over.length} over ${LIMIT_MS} ms`,
  );
  for (const { route, ms } of slowest) print(`  ${ms.toFixed(1)} ms  ${route}`);
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
  print(`replay.json of ${resources.length} files: p95 ${cold.toFixed(1)} ms, as 304 ${unchanged.toFixed(1)} ms`);
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

function listsOf(oid, { users, cids, collections, item, tags, some }) {
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
      [['search', 'delta7']],
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
  return {
    [`/orgs/${oid}/all-crawls`]: crossed(Object.values(both), orders, [states, user, tag, collection]),
    [`/orgs/${oid}/crawls`]: crossed(Object.values(filters), crawlOrders, [states, user, tag, collection]),
    [`/orgs/${oid}/uploads`]: crossed([user, name, description, collection, [['state', 'complete']]], orders),
    [`/orgs/${oid}/collections`]: crossed(collectionFilters, collectionOrders, [[['access', 'public']]]),
    [`/orgs/${oid}/crawls/${item}/pages`]: crossed(itemFilters, pageOrders),
    [`/orgs/${oid}/collections/${collections[1]}/pages`]: crossed(pageFilters, pageOrders),
    [`/orgs/${oid}/collections/${collections[0]}/pages`]: crossed(pageFilters, pageOrders),
  };
}

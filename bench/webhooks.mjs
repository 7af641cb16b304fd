/**
 * Figures of webhook delivery, on a receiver in a process of its own. See `--help`.
 * `npm run build && node bench/webhooks.mjs [deliveries]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { helpOr, load, ms, print, quantile } from './lib/command.mjs';
import { ADMIN, startService, timesOf, tokenOf } from './lib/service.mjs';

helpOr(
  'node bench/webhooks.mjs [deliveries]\n' +
    'Deliveries a second of one process to a fast receiver (default: 5,000), the time from a call that makes an event to its\n' +
    'request when idle, how long 10,000 notifications for a host that hangs delay one for another org, and the list of\n' +
    '50,000 notifications by every filter and sort.',
);
const DELIVERIES = Number(process.argv[2] ?? 5000);
const IDLE_EVENTS = 200;
const BACKLOG = 10_000;
const LISTED = 50_000;
const CALLS = 40;
const uuid = (id = randomUUID()) => new mongoose.mongo.UUID(id);

if (process.argv[2] === 'receiver') await receive();
else await measure();

/** The receiver: tells when each notification came. */
async function receive() {
  let came = [];
  const server = createServer((request, response) => {
    const text = [];
    request.on('data', (chunk) => text.push(chunk));
    request.on('end', () => {
      response.end('ok');
      came.push([Date.now(), request.headers['webhook-id']]);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.on('message', () => {
    process.send(came);
    came = [];
  });
  process.once('disconnect', () => process.exit(0));
  process.send(server.address().port);
}

async function measure() {
  const receiver = fork(import.meta.filename, ['receiver']);
  const [port] = await once(receiver, 'message');
  const url = `http://127.0.0.1:${port}/`;
  const came = async () => {
    receiver.send('came');
    return (await once(receiver, 'message'))[0];
  };
  const service = await startService({ ALLOW_PRIVATE_ADDRESSES: 'webhooks' });
  try {
    const headers = await tokenOf(service.url, ADMIN);
    const call = async (method, route, json) => {
      const body = json
        ? { body: JSON.stringify(json), headers: { ...headers, 'content-type': 'application/json' } }
        : { headers };
      const response = await fetch(`${service.url}${route}`, { method, ...body });
      if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
      return response.json();
    };
    const oid = (await call('GET', '/orgs')).items[0].id;
    await call('POST', `/orgs/${oid}/event-webhook-urls`, { crawlReviewed: url, crawlStarted: url });
    const webhooks = service.db.collection('webhooks');
    await throughput({ webhooks, oid, url, came, cpu: service.cpuSeconds });
    await idle({ service, oid, call, came });
    await deadHost({ webhooks, oid, call, came, url });
    await lists({ webhooks, oid, call });
  } finally {
    await service.stop();
    receiver.kill();
  }
}

function notification(oid, host, n) {
  const now = Date.now();
  const itemId = `upload-${randomUUID()}`;
  const plan = { dueAt: new Date(now), tries: 0, counted: false, leaseUntil: new Date(0), claim: null, host };
  return {
    _id: uuid(),
    oid: uuid(oid),
    event: 'crawlStarted',
    body: { orgId: oid, itemId, scheduled: false, event: 'crawlStarted' },
    ...{ success: false, attempts: 0, created: new Date(now), lastAttempted: null, seq: now },
    plan: { ...plan, orderKey: `${host} ${itemId}`, seq: now + n },
  };
}

async function throughput({ webhooks, oid, url, came, cpu }) {
  await came();
  const rows = Array.from({ length: DELIVERIES }, (_, n) => notification(oid, new URL(url).host, n));
  const before = cpu();
  await webhooks.insertMany(rows);
  while ((await webhooks.countDocuments({ success: true })) < DELIVERIES) await delay(50);
  const used = cpu() - before;
  const times = (await came()).map(([at]) => at).sort((a, b) => a - b);
  const seconds = (times.at(-1) - times[0]) / 1000;
  print(
    `${times.length} deliveries in ${seconds.toFixed(1)} s: ${(times.length / seconds).toFixed(0)} a second; the service used ${used.toFixed(1)} s of CPU, so ${(times.length / used).toFixed(0)} for each second of it; ${load()}`,
  );
}

async function idle({ service, oid, call, came }) {
  const itemId = `upload-${randomUUID()}`;
  await service.db.collection('crawls').insertOne({
    ...{ _id: itemId, type: 'upload', oid: uuid(oid), userid: uuid(), userName: 'bench', state: 'complete' },
    ...{
      started: new Date(),
      finished: new Date(),
      files: [],
      fileSize: 0,
      fileCount: 0,
      collectionIds: [],
      version: 2,
    },
  });
  await came();
  const asked = [];
  for (let n = 0; n < IDLE_EVENTS; n++) {
    asked.push(Date.now());
    await call('PATCH', `/orgs/${oid}/all-crawls/${itemId}`, { name: 'bench', reviewStatus: (n % 5) + 1 });
    await delay(30);
  }
  await delay(1000);
  const arrived = await came();
  // Those of one item come in their order.
  const waits = arrived
    .map(([at]) => at)
    .sort((a, b) => a - b)
    .map((at, n) => at - asked[n])
    .sort((a, b) => a - b);
  print(
    `from the call that makes an event to its request, ${waits.length} events one by one: p50 ${ms(quantile(waits, 0.5))}, ` +
      `p95 ${ms(quantile(waits, 0.95))}; ${load()}`,
  );
}

async function deadHost({ webhooks, oid, call, came, url }) {
  const held = new Set();
  const dead = net.createServer((socket) => held.add(socket.on('error', () => {})));
  await new Promise((resolve) => dead.listen(0, '127.0.0.1', resolve));
  const deadUrl = `http://127.0.0.1:${dead.address().port}/`;
  const other = (await call('POST', '/orgs/create', { name: 'Other', slug: 'other' })).id;
  await call('POST', `/orgs/${oid}/event-webhook-urls`, { crawlStarted: deadUrl });
  await call('POST', `/orgs/${other}/event-webhook-urls`, { crawlStarted: url });
  await webhooks.insertMany(Array.from({ length: BACKLOG }, (_, n) => notification(oid, new URL(deadUrl).host, n)));
  while (held.size < 10) await delay(20);
  await came();
  const waits = [];
  for (let n = 0; n < 30; n++) {
    await webhooks.insertOne(notification(other, new URL(url).host, n));
    const began = Date.now();
    let [first] = await came();
    while (!first) {
      await delay(5);
      [first] = await came();
    }
    waits.push(first[0] - began);
    await delay(100);
  }
  waits.sort((a, b) => a - b);
  print(
    `another org's notification behind ${BACKLOG} for a host that hangs, found by the half-second look alone: ` +
      `p50 ${ms(quantile(waits, 0.5))}, longest ${ms(waits.at(-1))}; ${load()}`,
  );
  await webhooks.deleteMany({});
  for (const socket of held) socket.destroy();
  dead.close();
}

async function lists({ webhooks, oid, call }) {
  const types = ['crawlStarted', 'crawlFinished', 'crawlDeleted', 'uploadFinished', 'addedToCollection'];
  for (let from = 0; from < LISTED; from += 5000)
    await webhooks.insertMany(
      Array.from({ length: 5000 }, (_, i) => {
        const n = from + i;
        const { plan: _plan, ...row } = notification(oid, 'x', n);
        const at = new Date(Date.UTC(2026, 0, 1) + n * 1000);
        const rest = { success: n % 20 !== 0, attempts: (n % 4) + 1, created: at, lastAttempted: at, plan: null };
        return { ...row, ...rest, event: types[n % types.length] };
      }),
    );
  const filters = ['', 'success=true', 'success=false', 'event=crawlFinished', 'event=crawlFinished&success=false'];
  const sorts = [
    '',
    ...['success', 'event', 'attempts', 'created', 'lastAttempted'].flatMap((field) => [
      `sortBy=${field}&sortDirection=1`,
      `sortBy=${field}&sortDirection=-1`,
    ]),
  ];
  const all = [];
  let worst = ['', 0];
  let worstMedian = 0;
  for (const filter of filters)
    for (const sort of sorts) {
      const query = [filter, sort, 'pageSize=100'].filter(Boolean).join('&');
      const times = await timesOf(() => call('GET', `/orgs/${oid}/webhooks?${query}`), CALLS, 3);
      const p95 = quantile(times, 0.95);
      if (p95 > worst[1]) worst = [query, p95];
      worstMedian = Math.max(worstMedian, quantile(times, 0.5));
      all.push(...times);
    }
  all.sort((a, b) => a - b);
  print(
    `page of 100 among ${LISTED} notifications, ${filters.length * sorts.length} filters and sorts: p50 ${ms(quantile(all, 0.5))}, ` +
      `p95 ${ms(quantile(all, 0.95))}; worst median ${ms(worstMedian)}, worst p95 ${ms(worst[1])} (${worst[0]}); ${load()}`,
  );
}

/** How long the first start on a database of the reference takes; see USAGE. */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { findMongod } from '../scripts/provision/mongod.mjs';
import { startMongod } from '../scripts/provision/mongod-server.mjs';
import { freePort } from '../scripts/provision/lib.mjs';
import { fillReference, DATABASE } from './lib/reference.mjs';
import { helpOr, load, option, print, scratchDir } from './lib/command.mjs';
import { ADMIN, startService, tokenOf } from './lib/service.mjs';

const USAGE = `
npm run build && node bench/takeover.mjs [--times 10] [--keep FOLDER]

Fills a database as the reference leaves it, with its format and its indexes: 10,000 crawls and 200,000 pages, --times
as many. Starts the service on a copy of it, and tells how long it takes until requests are answered, until the first
lists are, and until everything of the service's own is filled. --keep leaves the filled database in a folder and takes
it from there the next time.
`;

helpOr(USAGE);
const times = Number(option('times', 10));
const kept = option('keep', null) ?? scratchDir();
mkdirSync(kept, { recursive: true });
const source = path.join(kept, `reference-${times}`);
const oid = await filled();
const dataDir = scratchDir();
cpSync(source, path.join(dataDir, 'db'), { recursive: true });

const began = performance.now();
const since = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
const service = await startService({}, [], dataDir);
try {
  print(`ready after ${since()}`);
  const headers = await tokenOf(service.url, ADMIN);
  const names = () => Promise.all(['crawls', 'pages'].map((name) => service.db.collection(name).indexes()));
  for (const list of ['crawls?pageSize=100', 'all-crawls?pageSize=100', 'pages']) {
    const url = `${service.url}/orgs/${oid}/${list === 'pages' ? `crawls/${await first()}/pages` : list}`;
    const asked = performance.now();
    const response = await fetch(url, { headers });
    const body = await response.json();
    if (!response.ok || !(body.total > 0)) throw new Error(`${list} was answered ${response.status}`);
    print(`${list}: ${Math.round(performance.now() - asked)} ms, ${body.total} in all`);
  }
  for (;;) {
    const open = await service.db.admin().command({ currentOp: true, 'command.createIndexes': { $exists: true } });
    const untitled = await service.db.collection('pages').findOne({ titleTerms: null }, { projection: { _id: 1 } });
    if (open.inprog.length === 0 && !untitled) break;
    await delay(1000);
  }
  print(`everything filled after ${since()}`);
  const [items, pages] = await names();
  print(`indexes: ${items.length} of items, ${pages.length} of pages`);
  print(load());
} finally {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function first() {
  return (await service.db.collection('crawls').findOne({ type: 'crawl' }))._id;
}

/** Fills the source unless it is there. @returns the org */
async function filled() {
  const isThere = existsSync(source);
  const mongod = await startMongod({ binary: await findMongod(), dataDir: source, port: await freePort() });
  try {
    const connection = await mongoose.createConnection(mongod.url, { dbName: DATABASE }).asPromise();
    if (!isThere) await fillReference(mongod.url, { oid: randomUUID(), times });
    const org = await connection.collection('organizations').findOne({});
    await connection.close();
    return org._id.toString();
  } finally {
    await mongod.stop();
  }
}

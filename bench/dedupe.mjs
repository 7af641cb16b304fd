/**
 * Dedupe indexes: import of a WACZ, and what a look-up costs in a large index. See `--help`.
 * `npm run build && node bench/dedupe.mjs [lines] [digests ...]`
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import mongoose from 'mongoose';
import { findMongod } from '../scripts/provision/mongod.mjs';
import { startMongod } from '../scripts/provision/mongod-server.mjs';
import { freePort } from '../scripts/provision/lib.mjs';
import { helpOr, load, print, scratchDir } from './lib/command.mjs';
import { cpuSeconds } from './lib/cpu.mjs';
import { createApp } from '../dist/src/create-app.js';
import { loadConfig } from '../dist/src/config/load-config.js';
import { WaczImporter } from '../dist/src/dedupe/wacz-importer.js';
import { OriginalsFinder } from '../dist/src/dedupe/originals-finder.js';
import { DedupeSourcesRepository } from '../dist/src/dedupe/data/dedupe-sources.repository.js';
import { OrgsRepository } from '../dist/src/orgs/data/orgs.repository.js';
import { Storages } from '../dist/src/storage/storages.js';
import { SortedLines } from '../dist/formats/cdx/sorted-lines.js';
import { indexMembers } from '../dist/formats/cdx/index-members.js';
import { writeWacz } from '../dist/formats/wacz/wacz-writer.js';
import { cdxjLine, urlKey } from '../dist/formats/cdx/cdxj.js';

helpOr(
  'node bench/dedupe.mjs [lines] [digests ...]: time and bytes read for the import of a WACZ of so many index lines\n' +
    '(default: 100,000), then CPU of look-ups, 32 digests at a time, in an index that grows to so many digests, of each\n' +
    'size in turn (default: 1,000,000)',
);
const LINES = Number(process.argv[2] ?? 100_000);
const SIZES = (process.argv.length > 3 ? process.argv.slice(3) : ['1000000']).map(Number);
/** Digests that are asked for, of all that are there. */
const KNOWN = 200_000;
const BATCH = 32;
const LOOKUPS = 1_000;

const dataDir = scratchDir();
const mongod = await startMongod({
  binary: await findMongod(),
  dataDir: path.join(dataDir, 'db'),
  port: await freePort(),
});
const env = { MONGO_DB_URL: mongod.url, DATA_DIR: dataDir, PORT: '0', CRAWL_DRIVER: 'fake', LOG_LEVEL: 'silent' };
const admin = { SUPERUSER_EMAIL: 'admin@example.com', SUPERUSER_PASSWORD: 'PASSW0RD!of-benches' };
const app = await createApp(loadConfig({ ...env, ...admin }));
await app.init();
const connection = await mongoose.createConnection(mongod.url, { dbName: 'browsertrixcloud' }).asPromise();
try {
  const org = await app.get(OrgsRepository, { strict: false }).findDefault();
  const collectionId = randomUUID();
  const key = { oid: org._id, collectionId };
  await importing(org, key);
  const known = [];
  for (const size of SIZES) {
    await growing(key, size, known);
    await lookingUp(org, key, known);
  }
} finally {
  await connection.close();
  await app.close();
  await mongod.stop();
}
process.exit(0);

async function importing(org, key) {
  const index = new SortedLines();
  for (let n = 0; n < LINES; n++) {
    const url = `https://www.example.com/section-${n % 97}/a-page-of-the-site-with-a-name-${n}.html?v=${n % 7}`;
    const digest = `sha256:${createHash('sha256').update(String(n)).digest('hex')}`;
    const mime = n % 5 === 0 ? 'warc/revisit' : 'text/html';
    const place = { offset: String(n * 9000), length: '9000', filename: 'rec-0123456789.warc.gz' };
    const fields = { url, mime, status: '200', digest, ...place };
    await index.add(cdxjLine({ key: urlKey(url), ts: '20261101120000123', fields }));
  }
  let indexBytes = 0;
  async function* members() {
    // An archive that must not be read.
    yield { path: 'archive/rec-0123456789.warc.gz', content: [Buffer.alloc(20_000_000)] };
    for await (const { path: name, content } of indexMembers(index))
      yield { path: name, content: counted(name, content) };
  }
  async function* counted(name, content) {
    for await (const bytes of content) {
      if (name.endsWith('.gz')) indexBytes += bytes.length;
      yield bytes;
    }
  }
  const store = app.get(Storages, { strict: false }).primaryOf(org);
  const filename = `${org._id}/bench.wacz`;
  const parts = [];
  for await (const part of writeWacz(members(), { created: new Date().toISOString(), software: 'bench' }))
    parts.push(part);
  const { size } = await store.put(filename, Buffer.concat(parts));
  let bytesRead = 0;
  const get = store.get.bind(store);
  store.get = async (...args) => {
    const answer = await get(...args);
    answer.body.on('data', (chunk) => (bytesRead += chunk.length));
    answer.body.pause();
    return answer;
  };
  const file = { filename, size, storage: { name: org.storage.name, custom: false } };
  const [began, cpu] = [performance.now(), cpuSeconds(process.pid)];
  await app.get(WaczImporter, { strict: false }).import(org, key, 'bench-item', file);
  const seconds = (performance.now() - began) / 1000;
  const used = cpuSeconds(process.pid) - cpu;
  const figures = await app.get(DedupeSourcesRepository, { strict: false }).figures(key);
  print(
    `import of ${LINES} lines (${figures.uniqueHashes} originals, ${figures.dupeUrls} revisits): ${seconds.toFixed(1)} s, ` +
      `${used.toFixed(1)} s of CPU of the service; read ${bytesRead} bytes for an index of ${indexBytes} ` +
      `(${(bytesRead / indexBytes).toFixed(3)}); ${load()}`,
  );
}

/** @param known gets some of the digests, evenly over the whole index */
async function growing({ collectionId }, size, known) {
  const hashes = connection.collection('dedupe_hashes');
  const { w } = await hashes.findOne({});
  const prefix = Buffer.from(collectionId.replaceAll('-', ''), 'hex');
  const every = Math.ceil(SIZES.at(-1) / KNOWN);
  const d = new Date('2026-11-01T12:00:00.123Z');
  const began = performance.now();
  const from = await hashes.estimatedDocumentCount();
  for (let made = from; made < size;) {
    const digests = Array.from({ length: Math.min(10_000, size - made) }, () => {
      const digest = randomBytes(32);
      // In the order of the index, batch by batch: at random, most of the time would go into reading it back.
      const part = (made - from) / (size - from);
      digest.writeUInt32BE(Math.floor((part + (Math.random() * 10_000) / (size - from)) * 0xffff_ffff) >>> 0);
      return digest;
    });
    const docs = digests.sort(Buffer.compare).map((digest, n) => {
      if (n % every === 0) known.push(digest);
      const _id = new mongoose.mongo.Binary(Buffer.concat([prefix, digest.subarray(0, 16)]));
      const r = new mongoose.mongo.Binary(digest.subarray(16));
      const u = `https://www.example.com/section-${n % 97}/a-page-of-the-site-with-a-name-${made + n}.html?v=${n % 7}`;
      return { _id, r, w, d, u, s: 9000 };
    });
    await hashes.insertMany(docs, { ordered: false });
    made += docs.length;
  }
  if (size > from)
    print(
      `${size - from} digests stored on top of ${from}: ` +
        `${(((performance.now() - began) * 1000) / (size - from)).toFixed(0)} µs of time each; ${load()}`,
    );
  // Each checkpoint writes changed pages anew; what it leaves behind is used again.
  await connection.db.admin().command({ fsync: 1 });
  const stats = await connection.db.command({ collStats: 'dedupe_hashes', indexDetails: true });
  const reusable = stats.indexDetails._id_['block-manager']['file bytes available for reuse'];
  const each = (bytes) => (bytes / stats.count).toFixed(0);
  print(
    `${stats.count} digests: ${each(stats.storageSize - stats.freeStorageSize)} bytes stored and ` +
      `${each(stats.totalIndexSize - reusable)} of index a digest, and ${each(stats.freeStorageSize + reusable)} free in the files`,
  );
}

async function lookingUp(org, { collectionId }, known) {
  const { w } = await connection.collection('dedupe_hashes').findOne({});
  // The item that holds them all, and the crawl that asks.
  const oid = new mongoose.mongo.UUID(org._id);
  const collectionIds = [new mongoose.mongo.UUID(collectionId)];
  const { filename } = await connection.collection('dedupe_sources').findOne({ _id: w });
  await connection.collection('crawls').deleteMany({});
  await connection.collection('crawls').insertMany([
    {
      _id: 'bench-item',
      oid,
      type: 'crawl',
      state: 'complete',
      collectionIds,
      files: [{ filename, hash: 'a', size: 1 }],
    },
    { _id: 'bench-crawl', oid, type: 'crawl', state: 'running', collectionIds: [], files: [] },
  ]);
  const finder = app.get(OriginalsFinder, { strict: false });
  for (const [what, digestOf] of [
    ['known', () => known[Math.floor(Math.random() * known.length)]],
    ['unknown', () => randomBytes(32)],
  ]) {
    const ask = async () => {
      const digests = Array.from({ length: BATCH }, () => `sha256:${digestOf().toString('hex')}`);
      return finder.find({ oid: org._id, crawlId: 'bench-crawl', collectionId, digests });
    };
    for (let n = 0; n < 50; n++) await ask();
    const before = { at: performance.now(), service: cpuSeconds(process.pid), mongod: cpuSeconds(mongod.pid) };
    let found = 0;
    for (let n = 0; n < LOOKUPS; n++) found += (await ask()).length;
    const each = (seconds) => `${((seconds * 1000) / (LOOKUPS * BATCH)).toFixed(3)} ms`;
    print(
      `look-up of ${what} digests, ${BATCH} at a time (${found} of ${LOOKUPS * BATCH} found): a digest takes ` +
        `${each(cpuSeconds(process.pid) - before.service)} of CPU of the service, ` +
        `${each(cpuSeconds(mongod.pid) - before.mongod)} of mongod, ${each((performance.now() - before.at) / 1000)} of time; ${load()}`,
    );
  }
}

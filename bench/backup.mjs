/** How long a backup, a second one, its verification and a restore take; see USAGE. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { BackupMaker } from '../dist/src/backup/backup-maker.js';
import { BackupRestorer } from '../dist/src/backup/backup-restorer.js';
import { BackupVerifier } from '../dist/src/backup/backup-verifier.js';
import { BackupTarget } from '../dist/src/backup/target/backup-target.js';
import { loadConfig } from '../dist/src/config/load-config.js';
import { createApp } from '../dist/src/create-app.js';
import { fillArchive } from './lib/archive.mjs';
import { helpOr, load, option, print, scratchDir } from './lib/command.mjs';
import { ADMIN, startService, tokenOf } from './lib/service.mjs';

const USAGE = `
npm run build && node bench/backup.mjs [--pages 200000] [--megabytes 2000] [--object 10] [--key yes]

Starts the product with so many pages in items that have so many megabytes of files, each object of --object megabytes,
and takes the time of a backup, of a second one after it, of a verification and of a restore into another database and
folder. --key yes encrypts.
`;

helpOr(USAGE);
const pages = Number(option('pages', 200_000));
const objectBytes = Number(option('object', 10)) * 1e6;
const count = Math.ceil((Number(option('megabytes', 2_000)) * 1e6) / objectBytes);
const dataDir = scratchDir();
const target = path.join(scratchDir(), 'target');
const keyFile = option('key', 'no') === 'yes' ? path.join(scratchDir(), 'key') : null;
if (keyFile) writeFileSync(keyFile, randomBytes(32).toString('hex'));
const service = await startService({}, [], dataDir);
const signal = new AbortController().signal;
const tell = () => {};

async function timed(what, bytes, work) {
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  print(`${what}: ${seconds.toFixed(1)} s${bytes ? `, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s` : ''}; ${load()}`);
  return result;
}

async function within(env, work) {
  const variables = { MONGO_DB_URL: service.mongoUrl, CRAWL_DRIVER: 'fake', LOG_LEVEL: 'error', ...env };
  const app = await createApp(loadConfig(variables), { schedules: false, lookOnly: true });
  try {
    return await work((token) => app.get(token, { strict: false }));
  } finally {
    await app.close();
  }
}

/** Gives each item its objects. */
async function fillObjects(oid) {
  const folder = path.join(dataDir, 'storage', oid);
  mkdirSync(folder, { recursive: true });
  const items = await service.db
    .collection('crawls')
    .find({}, { projection: { _id: 1 } })
    .limit(count)
    .toArray();
  for (const { _id } of items) {
    const bytes = randomBytes(objectBytes);
    const filename = `${oid}/${_id}.wacz`;
    writeFileSync(path.join(dataDir, 'storage', filename), bytes);
    const hash = createHash('sha256').update(bytes).digest('hex');
    const file = { filename, hash, size: objectBytes, storage: { name: 'default', custom: false }, replicas: [] };
    await service.db.collection('crawls').updateOne({ _id }, { $set: { files: [file] } });
  }
  await service.db
    .collection('crawls')
    .updateMany({ _id: { $nin: items.map(({ _id }) => _id) } }, { $set: { files: [] } });
}

try {
  const headers = await tokenOf(service.url, ADMIN);
  const { items } = await (await fetch(`${service.url}/orgs`, { headers })).json();
  const [{ id: oid }] = items;
  const size = { oid, crawls: Math.max(count, 200), uploads: 0, collections: 10, pages };
  await fillArchive(service.mongoUrl, { name: 'browsertrixcloud', ...size });
  await fillObjects(oid);
  const { dataSize } = await service.db.command({ dbStats: 1 });
  const bytes = count * objectBytes;
  print(`${pages} pages, ${(dataSize / 1e6).toFixed(0)} MB of documents, ${count} objects of ${objectBytes / 1e6} MB`);
  const order = { target, keyFile, verify: false, signal, tell };
  const make = () => within({ DATA_DIR: dataDir }, (get) => get(BackupMaker).make(order));
  await timed('backup', bytes + dataSize, make);
  await timed('second backup, nothing new', 0, make);
  const from = await BackupTarget.open(target, keyFile);
  const manifest = await from.pick(null);
  let packed = 0;
  for (const { size: each } of manifest.files) packed += each;
  print(`the database takes ${(packed / 1e6).toFixed(0)} MB of the backup`);
  await timed('verify', bytes, () => new BackupVerifier().verify(from, manifest, print));
  const restored = { from, manifest, verify: false, secrets: 'leave', signal, tell };
  const place = { DATA_DIR: scratchDir(), MONGO_DB_NAME: 'restored' };
  await timed('restore with indexes, without its verification', bytes + dataSize, () =>
    within(place, (get) => get(BackupRestorer).restore(restored)),
  );
  const objects = await readdir(path.join(place.DATA_DIR, 'storage', oid));
  if (objects.length !== count) throw new Error(`${objects.length} objects restored, not ${count}`);
  print(`peak memory of this process: ${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB`);
} finally {
  await service.stop();
}

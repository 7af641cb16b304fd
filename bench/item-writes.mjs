/** CPU of the database for an item that is inserted, beside all indexes of items; see USAGE. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import mongoose from 'mongoose';
import { findMongod } from '../scripts/provision/mongod.mjs';
import { startMongod } from '../scripts/provision/mongod-server.mjs';
import { freePort } from '../scripts/provision/lib.mjs';
import { fillArchive } from './lib/archive.mjs';
import { helpOr, load, median, option, print, scratchDir } from './lib/command.mjs';
import { cpuNanoseconds } from './lib/cpu.mjs';

const USAGE = `
npm run build && node bench/item-writes.mjs [--items 10000] [--rounds 5] [--beside FOLDER,FOLDER]

Inserts items into a database with the indexes that the built schema declares, and tells mongod's CPU for one. Other
checkouts with their builds, named by --beside, take turns with it.
`;

helpOr(USAGE);
const items = Number(option('items', 10_000));
const rounds = Number(option('rounds', 5));
const beside = String(option('beside', '')).split(',').filter(Boolean);
const micros = (milliseconds) => `${Math.round(milliseconds * 1000)} µs`;
const schemaOf = async (root) => {
  const file = path.resolve(root, 'dist/src/items/data/item.schema.js');
  return (await import(pathToFileURL(file).href)).ItemSchema.indexes();
};
const builds = await Promise.all(
  [path.join(import.meta.dirname, '..'), ...beside].map(async (root) => ({
    root,
    indexes: await schemaOf(root),
    taken: [],
  })),
);
const mongod = await startMongod({ binary: await findMongod(), dataDir: scratchDir(), port: await freePort() });
try {
  for (let round = 0; round <= rounds; round++)
    for (const build of builds) {
      const taken = await inserted(build.indexes);
      if (round > 0) build.taken.push(taken);
    }
  for (const { root, indexes, taken } of builds)
    print(
      `${path.basename(path.resolve(root))}, ${indexes.length + 1} indexes: ${micros(median(taken))} an item, best ${micros(Math.min(...taken))}`,
    );
  print(load());
} finally {
  await mongod.stop();
}

/** @returns milliseconds of mongod's CPU for one item */
async function inserted(indexes) {
  const connection = await mongoose.createConnection(mongod.url, { dbName: `items_${Date.now()}` }).asPromise();
  const specs = indexes.map(([key, { background: _background, ...rest }]) => ({ key, ...rest }));
  await connection.collection('crawls').createIndexes(specs);
  const before = cpuNanoseconds(mongod.pid);
  const size = { crawls: items, uploads: 0, collections: 200, pages: 0 };
  await fillArchive(mongod.url, { name: connection.name, oid: '11111111-2222-4333-8444-555555555555', ...size });
  const after = cpuNanoseconds(mongod.pid);
  await connection.dropDatabase();
  await connection.close();
  return (after - before) / 1e6 / items;
}

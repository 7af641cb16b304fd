/** A database as the reference leaves it: its fields, none of ours, and its indexes (archive §14, crawling §3). */
import mongoose from 'mongoose';
import { fillArchive } from './archive.mjs';

const { UUID } = mongoose.mongo;
export const DATABASE = 'browsertrixcloud';
const OURS = { crawls: ['qaRunCount', 'lastQAState', 'lastQAStarted'], pages: ['titleTerms', 'titleLength'] };
const hashed = (field) => ({ [field]: 'hashed' });
const INDEXES = {
  crawls: [
    ...['type', 'oid', 'cid', 'state'].map(hashed),
    ...['finished', 'oid', 'cid', 'state', 'fileSize'].map((field) => ({ type: 'hashed', [field]: -1 })),
    ...[{ finished: -1 }, { fileSize: -1 }, { state: 1, oid: 1, started: 1 }, { oid: 'hashed', state: -1 }],
  ],
  pages: [
    hashed('crawl_id'),
    { crawl_id: 'hashed', isSeed: -1, ts: 1 },
    { crawl_id: 'hashed', url: 1 },
    { title: 'text' },
  ],
};

/**
 * @param {string} url of mongod
 * @param {{ oid: string, times: number }} size 10,000 crawls and 200,000 pages, so many times
 */
export async function fillReference(url, { oid, times }) {
  const size = { crawls: 10_000 * times, uploads: 100, collections: 200, pages: 200_000 * times };
  await fillArchive(url, { name: DATABASE, oid, ...size, big: { items: 1, pages: 20_000 * times }, without: OURS });
  const connection = await mongoose.createConnection(url, { dbName: DATABASE }).asPromise();
  await connection.collection('version').insertOne({ version: '0058' });
  await connection.collection('organizations').insertOne({
    ...{ _id: new UUID(oid), name: 'Taken over', slug: 'taken-over', users: {}, default: true },
    ...{ storage: { name: 'default', custom: false }, bytesStored: 0, created: new Date() },
  });
  for (const [name, specs] of Object.entries(INDEXES))
    await connection.collection(name).createIndexes(specs.map((key) => ({ key, name: nameOf(key) })));
  await connection.close();
}

const nameOf = (key) => Object.entries(key).flat().join('_');

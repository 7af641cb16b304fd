/** A large archive in a database of its own, written straight into it: only lists read it, so no objects are behind. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { titleIndexOf } from '../../dist/src/pages/data/title-words.facts.js';

const { UUID } = mongoose.mongo;
const BATCH = 5_000;
const BATCHES_UNDER_WAY = 4;
const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
const STATES = ['complete', 'complete', 'complete', 'stopped_by_user', 'failed', 'canceled'];
const WORDS = ['archive', 'bridge', 'copper', 'delta', 'engine', 'forest', 'garden', 'harbor', 'island', 'jungle'];
const QA_RUN = 'qa-20240102000000-bench';
const binary = (id) => new UUID(id);

/** Some users, workflows and so on that filters ask for. */
const ids = (count) => Array.from({ length: count }, () => randomUUID());

/**
 * @param {string} url of mongod
 * @param {{ name: string, oid: string, crawls: number, uploads: number, collections: number, pages: number, big?: { items: number, pages: number }, without?: { crawls: string[], pages: string[] } }} size
 * `big`: the items that have more pages than others, and how many each; `without`: fields that are left out
 * @returns what the filters of the bench ask for
 */
export async function fillArchive(url, { name, oid, crawls, uploads, collections, pages, big, without }) {
  const client = await mongoose.createConnection(url, { dbName: name }).asPromise();
  const world = { users: ids(5), cids: ids(200), collections: ids(collections) };
  const items = Array.from({ length: crawls + uploads }, (_, n) => itemOf(n, n < crawls, oid, world));
  for (const item of items.slice(0, big?.items ?? 0)) item.pageCount = big.pages;
  await insert(client.collection('crawls'), lacking(items, without?.crawls));
  await insert(
    client.collection('collections'),
    world.collections.map((id, n) => collectionOf(id, n, oid)),
  );
  await withoutIndexes(client.collection('pages'), (collection) =>
    insert(collection, lacking(pagesOf(items, pages, oid, big), without?.pages)),
  );
  await client.close();
  const [first] = items;
  return {
    ...world,
    item: first._id,
    qaRun: QA_RUN,
    tags: ['tag-3', 'tag-7'],
    some: items.slice(0, 30).map(({ _id }) => _id),
  };
}

function* lacking(documents, fields = []) {
  for (const document of documents) {
    for (const field of fields) delete document[field];
    yield document;
  }
}

/** Indexes are built from what is there in a fraction of the time that keeping them up to date takes. */
async function withoutIndexes(collection, fill) {
  const indexes = (await collection.indexes().catch(() => [])).filter(({ name }) => name !== '_id_');
  if (indexes.length > 0) await collection.dropIndexes();
  await fill(collection);
  if (indexes.length === 0) return;
  const specs = indexes.map(({ weights, key, ...index }) => ({ ...index, key: weights ? textKey(weights) : key }));
  await collection.createIndexes(specs.map(({ v: _version, textIndexVersion: _text, ...spec }) => spec));
}

/** A text index tells its fields as weights. */
const textKey = (weights) => Object.fromEntries(Object.keys(weights).map((field) => [field, 'text']));

/** Some batches on their way while the next is made. */
async function insert(collection, documents) {
  let batch = [];
  const underWay = new Set();
  const flush = async () => {
    const sent = collection.insertMany(batch, { ordered: false, writeConcern: { w: 1, j: false } });
    batch = [];
    underWay.add(sent);
    void sent.then(() => underWay.delete(sent));
    if (underWay.size >= BATCHES_UNDER_WAY) await Promise.race(underWay);
  };
  for (const document of documents) if (batch.push(document) >= BATCH) await flush();
  if (batch.length > 0) await flush();
  await Promise.all(underWay);
}

function itemOf(n, isCrawl, oid, { users, cids, collections }) {
  const started = new Date(START + ((n * 7919) % 11_000) * (DAY / 15));
  const _id = isCrawl ? `manual-20240101000000-${randomUUID().slice(0, 12)}` : `upload-${randomUUID()}`;
  const file = {
    filename: `${oid}/${_id}.wacz`,
    hash: 'a'.repeat(64),
    size: 1e6 + n,
    storage: { name: 'default', custom: false },
  };
  // One collection holds a thousand items, the others fifty each.
  const inCollections = [n < 1000 ? collections[0] : null, collections[1 + (n % (collections.length - 1))]];
  return {
    ...{ _id, oid: binary(oid), type: isCrawl ? 'crawl' : 'upload', version: 2, files: [{ ...file, replicas: [] }] },
    ...{
      cid: isCrawl ? binary(cids[n % cids.length]) : null,
      userid: binary(users[n % users.length]),
      userName: 'Somebody',
    },
    ...{ name: `Item ${n % 3000}`, description: `About ${WORDS[n % 10]}`, tags: [`tag-${n % 20}`, `tag-${n % 7}`] },
    ...{ collectionIds: inCollections.filter(Boolean).map(binary), reviewStatus: n % 3 ? null : 1 + (n % 5) },
    ...{ started, finished: new Date(started.getTime() + 3_600_000), state: STATES[n % STATES.length] },
    ...{ stats: { found: 180, done: 180, size: 1e6 }, fileSize: 1e6 + n, fileCount: 1, crawlExecSeconds: n % 4000 },
    ...{
      pageCount: 180,
      uniquePageCount: 170,
      filePageCount: 1,
      errorPageCount: 1,
      firstSeed: `https://site${n % 200}.example/`,
    },
    ...{
      requiresCrawls: n % 40 ? [] : ['manual-x'],
      requiredByCrawls: [],
      manual: true,
      browserWindows: 2,
      deleted: false,
    },
    ...(n ? {} : { qaFinished: { [QA_RUN]: runOf(oid, started) } }),
    ...{ qaRunCount: n % 6 ? 0 : 1, lastQAState: n % 6 ? null : 'complete', lastQAStarted: n % 6 ? null : started },
  };
}

/** The run that the first item's pages have values of. */
const runOf = (oid, started) => ({
  ...{ id: QA_RUN, userid: binary(oid), userName: 'Somebody', state: 'complete', started, finished: started },
  ...{ stats: { found: 180, done: 180, size: 1e6 }, files: [], crawlExecSeconds: 60 },
});

function collectionOf(id, n, oid) {
  const at = new Date(START + n * DAY);
  return {
    ...{
      _id: binary(id),
      oid: binary(oid),
      name: `Collection ${n}`,
      slug: `collection-${n}`,
      access: n % 3 ? 'private' : 'public',
    },
    ...{
      description: `About ${WORDS[n % 10]}`,
      caption: `Caption ${n}`,
      created: at,
      modified: at,
      lastStatsUpdateStarted: at,
    },
    ...{ crawlCount: n, pageCount: n * 180, uniquePageCount: n, totalSize: n * 1e6, dateEarliest: at, dateLatest: at },
    ...{ tags: [], previousSlugs: [], allowPublicDownload: true, indexState: n % 10 ? null : 'idle' },
  };
}

/** How a QA run found a page; every tenth could not be compared. */
function qaOf(i) {
  const resourceCounts = { crawlGood: i % 30, crawlBad: i % 3, replayGood: i % 29, replayBad: i % 4 };
  return { screenshotMatch: i % 10 ? ((i * 37) % 101) / 100 : null, textMatch: ((i * 53) % 101) / 100, resourceCounts };
}

/**
 * Unless told otherwise, twenty items have ten thousand pages each; the rest share what is left. Titles have one word of 2,000 kinds, one of ten
 * kinds and one that all have.
 */
function* pagesOf(items, total, oid, told) {
  const big = told?.items ?? Math.min(20, items.length);
  const bigPages = told?.pages ?? Math.min(10_000, Math.floor(total / 2 / big));
  const small = Math.floor((total - big * bigPages) / Math.max(items.length - big, 1));
  for (const [n, { _id }] of items.entries()) {
    for (let i = 0; i < (n < big ? bigPages : small); i += 1) {
      const title = `${WORDS[i % 10]}${(i * 7 + n) % 200} page ${i} ${WORDS[(i + n) % 10]}`;
      yield {
        ...{
          _id: binary(randomUUID()),
          oid: binary(oid),
          crawl_id: _id,
          url: `https://site${n % 200}.example/${i % 997}/${i}`,
        },
        ...{
          title,
          ...titleIndexOf(title),
          ts: new Date(START + i * 60_000),
          loadState: 2,
        },
        ...{ status: i % 50 ? 200 : 404, mime: 'text/html', filename: `${_id}.wacz`, depth: i % 5, isSeed: i === 0 },
        ...(n === 0 ? { qa: { [QA_RUN]: qaOf(i) } } : {}),
        ...{ isFile: i % 100 === 1, isError: i % 100 === 2, ...(i % 20 ? {} : { approved: i % 40 === 0 }) },
        ...(i % 200
          ? {}
          : {
              notes: [
                {
                  id: binary(randomUUID()),
                  text: 'Look',
                  created: new Date(START),
                  userid: binary(oid),
                  userName: 'S',
                },
              ],
            }),
      };
    }
  }
}

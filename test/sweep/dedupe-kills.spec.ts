import { setTimeout as delay } from 'node:timers/promises';
import { baseName } from '../../src/common/text/base-name.js';
import type { Original } from '../../src/drivers/crawl-driver.types.js';
import type { DomainEvent } from '../../src/events/event-types.js';
import type { Item } from '../../src/items/data/item.schema.js';
import type { KeptItem } from '../../src/items/data/kept-item.schema.js';
import { KeptItemReaper } from '../../src/items/deletion/kept-item-reaper.js';
import { Storages } from '../../src/storage/storages.js';
import { ApiClient } from '../support/api-client.js';
import { forkApi, killApiProcess, listening, type ApiProcess, type ForkedApi } from '../support/api-process.js';
import { endTransactionsOf, namedConnections } from '../support/dead-sessions.js';
import { anItem, settled } from '../support/archive.js';
import { digestOfBody, indexedWacz, type Capture } from '../support/indexed-wacz.js';
import { expectInvariants, recovered, violations } from '../support/invariants.js';
import { Random } from '../support/random.js';
import type { ResponseCheck } from '../support/response-check.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';
import { killsOf, sayFigures, SWEEP_SEED } from '../support/sweep-size.js';

const KILLS = killsOf(1, 40);
/**
 * Processes that live at the same time, each killed at a time of its own. Starting them takes longest, so the next ones
 * read their code from the moment at which these are killed.
 */
const LIVES = Math.min(4, KILLS);
/** Items that they find, each with bodies of its own and some that others have too. */
const ITEMS = Math.max(12, 4 * LIVES);
const BODIES = 4;
const SHARED = 20;
/** Crawls that ask while others delete. */
const RUNNING = Math.max(4, LIVES);
/** A life ends within one of its first deletions: its number is random, and so is the moment, of about their length. */
const MOST_DELETIONS = 7;
const DELETION_MS = 250;
const LONGEST_LIFE_MS = 4_000;
/** When a crawl ends, at the latest. */
const END_MS = 1_000;
/** More are deleted, so that each round costs the same. */
const MOST_ITEMS = 80;
const STEP_MS = 300_000;
const UNCHECKED = { check: () => undefined } as unknown as ResponseCheck;

/** A process that has begun to read its code. */
interface Loading extends ForkedApi {
  readonly loaded: Promise<string>;
}

/** A process of the service, asked as a driver asks it. */
class Life {
  private readonly waiting = new Map<number, (value: unknown) => void>();
  private serial = 0;

  constructor(
    readonly process: ApiProcess,
    readonly api: ApiClient,
  ) {
    process.child.on('message', ({ n, value }: { n: number; value: unknown }) => this.waiting.get(n)?.(value));
    process.child.once('exit', () => this.waiting.forEach((answered) => answered(null)));
  }

  /** @returns null when the process is killed before it answers */
  call<T>(question: object): Promise<T | null> {
    if (!this.process.child.connected) return Promise.resolve(null);
    const n = (this.serial += 1);
    return new Promise((resolve) => {
      this.waiting.set(n, resolve as (value: unknown) => void);
      this.process.child.send({ n, ...question }, (error) => error && resolve(null));
    });
  }
}

/** A crawl, and what it was told of: it refers to all of that, and to nothing else. */
interface Asker {
  readonly crawlId: string;
  /** Originals by digest, by item. */
  readonly told: Map<string, Map<string, Original>>;
  /** Answers that are on their way. */
  asking: Promise<unknown>[];
  isEnding: boolean;
}

describe('a service that is killed while crawls refer to items that others delete', () => {
  /** The process that is left: it does nothing by itself, and takes over when it is told to. */
  let left: AppUnderTest;
  let oid: string;
  let token: string;
  let collectionId: string;
  let lives: Life[] = [];
  let loading: Loading[] = [];
  const askers = new Map<string, Asker>();
  /** Items that were taken down: what refers to them is broken on purpose. */
  const takenDown = new Set<string>();
  const figures = { told: 0, deletions: 0, ended: 0, reached: 0, indexes: 0 };

  beforeAll(async () => {
    left = await startApp();
    left.clock.set(new Date(Date.now()));
    const admin = await left.admin();
    [oid, token] = [await left.defaultOrgId(), admin.token ?? ''];
    collectionId = (await admin.post(`/orgs/${oid}/collections`, { name: 'Index' })).body.id as string;
    await admin.post(`/orgs/${oid}/collections/${collectionId}/dedupeIndex/create`);
    await settled(left);
  }, STEP_MS);
  afterAll(async () => {
    for (const one of [...lives.map((life) => life.process), ...loading]) await killApiProcess(one);
    await left?.close();
  });

  /** By it the database tells processes that are killed from the one that is left. */
  const mortal = () => `mortal-${left.connection.name}`;
  const items = () => left.connection.collection<Item>('crawls');
  const reaper = () => left.app.get(KeptItemReaper, { strict: false });
  const store = () => left.app.get(Storages, { strict: false }).resolveDefault({ name: 'default', custom: false });
  const digests = (random: Random, made: readonly string[]): string[] =>
    Array.from({ length: 3 }, () => {
      const own = `${random.pick([...made])} ${String(random.below(BODIES))}`;
      return digestOfBody(random.below(2) === 0 ? own : `shared ${String(random.below(SHARED))}`);
    });

  /** Stores items, adds them to the collection with the index, and starts crawls where some have ended. */
  async function stock(round: number, random: Random): Promise<string[]> {
    const made: string[] = [];
    for (let n = 0; n < ITEMS; n++) {
      const itemId = `manual-20260101000000-o${String(round)}-${String(n)}`;
      const bodies = Array.from({ length: BODIES }, (_, body) => `${itemId} ${String(body)}`);
      bodies.push(`shared ${String(random.below(SHARED))}`);
      const wacz = await indexedWacz(bodies.map((body) => ({ url: `https://a.example/${body}`, body })));
      await anItem(left, oid, { _id: itemId, contents: { [`${itemId}.wacz`]: wacz } });
      made.push(itemId);
    }
    for (let n = askers.size; n < RUNNING; n++) {
      const crawlId = `manual-20260101000000-c${String(round)}-${String(n)}`;
      const contents = { [`${crawlId}.wacz`]: Buffer.from('a crawl that runs') };
      await anItem(left, oid, { _id: crawlId, state: 'running', finished: null, fileCount: 1, contents });
      askers.set(crawlId, { crawlId, told: new Map(), asking: [], isEnding: false });
    }
    const admin = await left.admin();
    await admin.post(`/orgs/${oid}/recalculate-storage`);
    // The jobs that count the collection and import the items are whichever process's takes them.
    const added = await admin.post(`/orgs/${oid}/collections/${collectionId}/add`, { crawlIds: made });
    expect(added.status).toBe(200);
    await settled(left);
    return made;
  }

  function load(): Loading {
    const variables = {
      MONGO_DB_URL: namedConnections(process.env['MUNIMENT_TEST_MONGO_URL'] ?? '', mortal()),
      MONGO_DB_NAME: left.connection.name,
      DATA_DIR: left.dataDir,
      JWT_TOKEN_LIFETIME_MINUTES: '1000000',
    };
    const forked = forkApi(variables, [], 'dedupe-child.mjs');
    const loaded = forked.said();
    loaded.catch(() => undefined); // awaited when it is needed
    return { ...forked, loaded };
  }

  async function start(one: Loading): Promise<Life> {
    await one.loaded;
    const listens = listening(one);
    one.child.send('begin');
    const started = await listens;
    return new Life(started, new ApiClient(started.baseUrl, UNCHECKED, token));
  }

  async function remove(api: ApiClient, random: Random, made: readonly string[]): Promise<void> {
    const ids = [...new Set([random.pick([...made]), random.pick([...made])])];
    const retain = random.below(20) > 0;
    if (!retain) for (const id of ids) takenDown.add(id);
    figures.deletions++;
    // The service may end in the middle of it, which is the point.
    await api.post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: ids, retain }).catch(() => undefined);
    await delay(random.below(60));
  }

  async function ask(of: Life, random: Random, made: readonly string[]): Promise<void> {
    const free = [...askers.values()].filter(({ isEnding }) => !isEnding);
    if (free.length === 0) return delay(5);
    const asker = random.pick(free);
    const question = { oid, crawlId: asker.crawlId, collectionId, digests: digests(random, made) };
    const asking = of.call<Original[]>({ ask: question });
    asker.asking.push(asking);
    for (const original of (await asking) ?? []) {
      const { itemId, wacz, digest } = original;
      expect(wacz.name).toBe(`${itemId}.wacz`);
      asker.told.set(itemId, (asker.told.get(itemId) ?? new Map<string, Original>()).set(digest, original));
      figures.told++;
    }
    // Questions without a pause would leave deletions no processor.
    await delay(random.below(20));
  }

  async function end(of: Life, random: Random): Promise<void> {
    await delay(random.below(END_MS));
    const asker = random.pick([...askers.values()]);
    asker.isEnding = true;
    await Promise.all(asker.asking);
    // What was told before is in the set one turn later.
    await delay(1);
    if (await of.call({ ended: { oid, crawlId: asker.crawlId, required: [...asker.told.keys()] } })) figures.ended++;
  }

  /** Lets users and crawls ask a process, until it is killed. */
  async function spend(life: Life, made: readonly string[], seed: readonly number[]): Promise<void> {
    let isAlive = true;
    const lasting = async (n: number, act: (own: Random) => Promise<void>): Promise<void> => {
      const own = new Random(...seed, n);
      while (isAlive) await act(own);
    };
    const random = new Random(...seed);
    let before = random.below(MOST_DELETIONS);
    const deleting = new AbortController();
    if (before === 0) deleting.abort();
    const work = [
      lasting(1, (own) => {
        if (before-- === 1) deleting.abort();
        return remove(life.api, own, made);
      }),
      lasting(2, (own) => ask(life, own, made)),
      lasting(3, (own) => ask(life, own, made)),
      end(life, new Random(...seed, 4)),
    ];
    await delay(LONGEST_LIFE_MS, undefined, { signal: deleting.signal }).catch(() => undefined);
    await delay(random.below(DELETION_MS));
    await killApiProcess(life.process);
    isAlive = false;
    await Promise.all(work);
  }

  /** Everything that a crawl was told of is there, and belongs to an item or is kept. */
  async function expectReachable(): Promise<void> {
    for (const [crawlId, { told }] of askers) {
      const needed = [...told.keys()].filter((id) => !takenDown.has(id));
      const there = await items()
        .find({ _id: { $in: needed }, deleted: { $ne: true } })
        .toArray();
      const kept = left.connection.collection<KeptItem>('retained_items');
      const files = [...there, ...(await kept.find({ _id: { $in: needed } }).toArray())].flatMap((one) => one.files);
      const names = files.map(({ filename }) => baseName(filename));
      expect([crawlId, needed.filter((id) => !names.includes(`${id}.wacz`))]).toEqual([crawlId, []]);
      for (const { filename } of files) expect(await store().head(filename)).not.toBeNull();
      figures.reached += needed.length;
    }
  }

  /** Gives a crawl that has ended the archive that it would have written: it refers to all that the crawl was told of. */
  async function writeArchive({ crawlId, told }: Asker): Promise<void> {
    const originals = [...told.values()].flatMap((one) => [...one.values()]);
    const captures = originals.map(({ url, digest }): Capture => ({ url, fields: { digest, mime: 'warc/revisit' } }));
    const named = [...told].map(([id, one]) => {
      const { name: filename, hash, size } = [...one.values()][0]!.wacz;
      return { filename, hash, size, crawlId: id };
    });
    const filename = `${oid}/${crawlId}.wacz`;
    const { size, sha256 } = await store().put(filename, await indexedWacz(captures, undefined, named));
    const $set = { 'files.0.size': size, 'files.0.hash': sha256, fileSize: size };
    await items().updateOne({ _id: crawlId }, { $set });
  }

  /** Crawls that have ended are linked with what they were told of. From now on their archives say what they need. */
  async function letEndedGo(): Promise<void> {
    for (const asker of [...askers.values()]) {
      const crawl = (await items().findOne({ _id: asker.crawlId }))!;
      [asker.isEnding, asker.asking] = [false, []];
      if (crawl.state === 'running') continue;
      const linked = crawl.requiresCrawls ?? [];
      expect([...asker.told.keys()].filter((id) => !linked.includes(id) && !takenDown.has(id))).toEqual([]);
      askers.delete(asker.crawlId);
      // As the fact of its end does, which survives a kill.
      await reaper().dependentGone({ payload: { oid, crawlId: asker.crawlId } } as DomainEvent<'crawl.finished'>);
      await writeArchive(asker);
    }
    await (await left.admin()).post(`/orgs/${oid}/recalculate-storage`);
    await settled(left);
  }

  /** Deletes what has ended, by the process that is left. */
  async function clear(): Promise<void> {
    const admin = await left.admin();
    const ended = await items()
      .find({ state: 'complete', deleted: { $ne: true } })
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    const ids = ended.map(({ _id }) => _id);
    if (ids.length > 0)
      expect((await admin.post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: ids })).status).toBe(200);
    await expectInvariants(left);
  }

  it(`leaves no crawl without what it refers to, through ${String(KILLS)} kills`, async () => {
    sayFigures(`${String(KILLS)} kills of crawls' originals begin`);
    const startedAt = performance.now();
    loading = Array.from({ length: LIVES }, load);
    let kills = 0;
    for (let round = 0; kills < KILLS; round++) {
      const random = new Random(SWEEP_SEED, round);
      const starting = Promise.all(loading.map(start));
      const made = await stock(round, random);
      lives = await starting;
      loading = [];
      kills += lives.length;
      await Promise.all(
        lives.map(async (life, n) => {
          await spend(life, made, [SWEEP_SEED, round, n]);
          if (kills < KILLS) loading.push(load());
        }),
      );
      lives = [];
      await endTransactionsOf(left.connection, mortal());
      left.clock.set(new Date(Date.now()));
      await recovered(left);
      await expectReachable();
      await letEndedGo();
      expect(await violations(left, { progress: () => figures.indexes++ })).toEqual([]);
      left.clock.set(new Date(Date.now()));
      if ((await items().countDocuments()) > MOST_ITEMS) await clear();
      left.clock.set(new Date(Date.now()));
      if (round % 4 === 3) sayFigures(`${String(kills)} kills: ${JSON.stringify(figures)}`);
    }
    // What still runs fails, and nothing is left that nobody needs.
    await items().updateMany({ state: 'running' }, { $set: { state: 'complete' } });
    await clear();
    expect(await left.connection.collection('retained_items').countDocuments({})).toBe(0);
    expect(figures.told).toBeGreaterThan(0);
    const secondsEach = ((performance.now() - startedAt) / 1_000 / kills).toFixed(1);
    sayFigures(`${String(kills)} kills of ${secondsEach} s each, ${JSON.stringify(figures)}`);
  }, 36_000_000);
});

import { setTimeout as delay } from 'node:timers/promises';
import type { Item } from '../../src/items/data/item.schema.js';
import { ItemHoldsRepository } from '../../src/items/data/item-holds.repository.js';
import { Storages } from '../../src/storage/storages.js';
import { ApiClient } from '../support/api-client.js';
import { killApiProcess, startApiProcess, type ApiProcess } from '../support/api-process.js';
import { anItem, settled } from '../support/archive.js';
import { expectInvariants, recovered, violations } from '../support/invariants.js';
import { Random } from '../support/random.js';
import type { ResponseCheck } from '../support/response-check.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';
import { killsOf, sayFigures, SWEEP_SEED, sweepSize } from '../support/sweep-size.js';

const KILLS = killsOf(2, 40);
/** Each life deletes about this many items of these, and kills come at any moment of it. */
const ITEMS = sweepSize(24, 30);
const LONGEST_LIFE_MS = 2_500;
const STEP_MS = 300_000;
const UNCHECKED = { check: () => undefined } as unknown as ResponseCheck;

describe('a service that is killed while it deletes items that need each other', () => {
  /** The process that is left: it does nothing by itself, and takes over when it is told to. */
  let left: AppUnderTest;
  let oid: string;
  let token: string;
  let mortal: ApiProcess | null = null;
  /** Items that were taken down: their dependents are broken on purpose. */
  const takenDown = new Set<string>();

  beforeAll(async () => {
    left = await startApp();
    left.clock.set(new Date(Date.now()));
    [oid, token] = [await left.defaultOrgId(), (await left.admin()).token ?? ''];
  }, STEP_MS);
  afterAll(async () => {
    if (mortal) await killApiProcess(mortal);
    await left?.close();
  });

  const items = () => left.connection.collection<Item>('crawls');
  const store = () => left.app.get(Storages, { strict: false }).resolveDefault({ name: 'default', custom: false });

  /** Stores items of which each needs some of the earlier ones; a few running crawls hold others. */
  async function stock(kill: number, random: Random): Promise<string[]> {
    const made: string[] = [];
    for (let n = 0; n < ITEMS; n++) {
      const itemId = `manual-20260101000000-${String(kill)}-${String(n)}`;
      const before = made.filter(() => random.below(6) === 0);
      const isRunning = n % 10 === 9;
      const contents = { [`${itemId}.wacz`]: Buffer.from(`contents of ${itemId}`) };
      const requiresCrawls = isRunning ? [] : before;
      const state = isRunning ? { state: 'running', finished: null, fileCount: 1 } : {};
      await anItem(left, oid, { _id: itemId, requiresCrawls, contents, ...state });
      const filter = { _id: { $in: requiresCrawls } };
      await items().updateMany(filter, { $addToSet: { requiredByCrawls: itemId } });
      if (isRunning) await left.app.get(ItemHoldsRepository, { strict: false }).hold(oid, itemId, before, new Date());
      made.push(itemId);
    }
    await (await left.admin()).post(`/orgs/${oid}/recalculate-storage`);
    await settled(left);
    return made;
  }

  async function start(): Promise<ApiClient> {
    mortal = await startApiProcess({
      MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '',
      MONGO_DB_NAME: left.connection.name,
      DATA_DIR: left.dataDir,
      JWT_TOKEN_LIFETIME_MINUTES: '1000000',
    });
    return new ApiClient(mortal.baseUrl, UNCHECKED, token);
  }

  /** Every file that an item needs, directly, is in its answer and in the store. */
  async function expectReachable(): Promise<number> {
    const admin = await left.admin();
    let reached = 0;
    for (const { _id, requiresCrawls } of await items().find({}).toArray()) {
      const needed = (requiresCrawls ?? []).filter((id) => !takenDown.has(id));
      const { body } = await admin.get(`/orgs/${oid}/all-crawls/${_id}/replay.json`, { withDependencies: true });
      expect((body.missingRequiresCrawls ?? []).filter((id: string) => !takenDown.has(id))).toEqual([]);
      for (const id of needed) expect(await store().head(`${oid}/${id}.wacz`)).not.toBeNull();
      reached += needed.length;
    }
    return reached;
  }

  it(`leaves no item without what it needs, and nothing that nobody needs, through ${String(KILLS)} kills`, async () => {
    sayFigures(`${String(KILLS)} kills of deletions begin`);
    let [calls, reached] = [0, 0];
    for (let kill = 0; kill < KILLS; kill++) {
      const random = new Random(SWEEP_SEED, kill);
      const made = await stock(kill, random);
      const api = await start();
      let isAlive = true;
      const user = async (n: number) => {
        const own = new Random(SWEEP_SEED, kill, n);
        while (isAlive) {
          const ids = [...new Set([own.pick(made), own.pick(made)])];
          const retain = own.below(12) > 0;
          if (!retain) for (const id of ids) takenDown.add(id);
          calls++;
          // The service may end in the middle of it, which is the point.
          await api.post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: ids, retain }).catch(() => undefined);
        }
      };
      const users = [1, 2, 3].map(user);
      await delay(random.below(LONGEST_LIFE_MS));
      isAlive = false;
      if (mortal) await killApiProcess(mortal);
      mortal = null;
      await Promise.all(users);
      left.clock.set(new Date(Date.now()));
      await recovered(left);
      reached += await expectReachable();
      expect(await violations(left)).toEqual([]);
      left.clock.set(new Date(Date.now()));
    }
    const admin = await left.admin();
    for (const { _id } of await items().find({}).toArray())
      expect((await admin.post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: [_id] })).status).toBe(200);
    await expectInvariants(left);
    expect(await left.connection.collection('retained_items').countDocuments({})).toBe(0);
    expect((await store().list(`${oid}/`)).objects).toEqual([]);
    sayFigures(`${String(KILLS)} kills, ${String(calls)} deletions, ${String(reached)} originals reached after them`);
  }, 7_200_000);
});

import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../support/api-client.js';
import { killApiProcess, startApiProcess, type ApiProcess } from '../support/api-process.js';
import { eventually } from '../support/eventually.js';
import { expectInvariants } from '../support/invariants.js';
import { Random } from '../support/random.js';
import type { ResponseCheck } from '../support/response-check.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';
import { sayFigures, SWEEP_SEED, sweepSize } from '../support/sweep-size.js';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { waczOf } from '../support/zip.js';
import { Storages } from '../../src/storage/storages.js';

const KILLS = sweepSize(3, 30);
const LONGEST_LIFE_MS = 3_000;
/** A loaded machine starts the service in half a minute. */
const STEP_MS = 300_000;
const UNCHECKED = { check: () => undefined } as unknown as ResponseCheck;

describe('a service that is killed again and again', () => {
  /** The process that is left: it does nothing by itself, and takes over when it is told to. */
  let left: AppUnderTest;
  let receiver: WebhookReceiver;
  let oid: string;
  let token: string;
  let mortal: ApiProcess | null = null;
  /** What was answered with success, by id. */
  const uploaded = new Map<string, boolean>();
  const collections = new Set<string>();

  beforeAll(async () => {
    receiver = await startReceiver();
    left = await startApp();
    left.clock.set(new Date(Date.now()));
    [oid, token] = [await left.defaultOrgId(), (await left.admin()).token ?? ''];
    await (await left.admin()).post(`/orgs/${oid}/event-webhook-urls`, { uploadFinished: receiver.url });
  }, STEP_MS);
  afterAll(async () => {
    if (mortal) await killApiProcess(mortal);
    await left?.close();
    await receiver?.close();
  });

  async function start(): Promise<ApiClient> {
    mortal = await startApiProcess({
      MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '',
      MONGO_DB_NAME: left.connection.name,
      DATA_DIR: left.dataDir,
      ALLOW_PRIVATE_ADDRESSES: 'webhooks',
      JWT_TOKEN_LIFETIME_MINUTES: '1000000',
    });
    return new ApiClient(mortal.baseUrl, UNCHECKED, token);
  }

  /** One thing that a user does; what was acknowledged is remembered. */
  async function act(api: ApiClient, random: Random, wacz: Uint8Array<ArrayBuffer>): Promise<void> {
    const some = random.pick([...uploaded.keys(), '']);
    const kind = random.below(6);
    if (kind <= 2 || some === '') {
      const query = { filename: `${String(random.below(1e6))}.wacz` };
      const { status, body } = await api.put(`/orgs/${oid}/uploads/stream`, undefined, { query, raw: wacz });
      if (status === 200) uploaded.set(body.id as string, true);
    } else if (kind === 3) {
      const name = `c${String(random.below(1e9))}`;
      const { status, body } = await api.post(`/orgs/${oid}/collections`, {
        name,
        crawlIds: uploaded.get(some) ? [some] : [],
      });
      if (status === 200) collections.add(body.id as string);
    } else if (kind === 4 && uploaded.get(some)) {
      // What a kill leaves of a deletion is completed: it may be there or not until then.
      uploaded.set(some, false);
      await api.post(`/orgs/${oid}/uploads/delete`, { crawl_ids: [some] });
    } else await api.patch(`/orgs/${oid}/uploads/${some}`, { name: `renamed ${String(random.below(1e6))}` });
  }

  it(`keeps what it acknowledged, and nothing else, through ${String(KILLS)} kills`, async () => {
    const wacz = new Uint8Array(await waczOf(['https://a.example/', 'https://b.example/']));
    sayFigures(`${String(KILLS)} kills begin`);
    let acts = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const random = new Random(SWEEP_SEED, kill);
      const api = await start();
      let isAlive = true;
      const user = async (n: number) => {
        const own = new Random(SWEEP_SEED, kill, n);
        while (isAlive) {
          acts++;
          // The service may end in the middle of it, which is the point.
          await act(api, own, wacz).catch(() => undefined);
        }
      };
      const users = [1, 2, 3].map(user);
      await delay(random.below(LONGEST_LIFE_MS));
      isAlive = false;
      if (mortal) await killApiProcess(mortal);
      mortal = null;
      await Promise.all(users);
    }
    const api = await start();
    const jobs = left.connection.collection('jobs');
    const ended = () => eventually(async () => expect(await jobs.countDocuments({ finished: null })).toBe(0), STEP_MS);
    await ended();
    // One that was running at too many of the kills is taken for their cause, and is its owner's to try again.
    const suspects = await jobs.find({ success: false }).toArray();
    for (const { error } of suspects) expect(error).toMatch(/^the process that ran it ended \d+ times/);
    if (suspects.length > 0) await api.post(`/orgs/${oid}/jobs/retryFailed`);
    await eventually(async () => expect(await jobs.countDocuments({ success: false })).toBe(0), STEP_MS);
    await ended();
    const kept = [...uploaded].filter(([, isKept]) => isKept).map(([id]) => id);
    for (const id of kept) {
      const { status, body } = await api.get(`/orgs/${oid}/uploads/${id}/replay.json`);
      expect([id, status, body.state, body.pageCount]).toEqual([id, 200, 'complete', 2]);
    }
    for (const id of collections) expect((await api.get(`/orgs/${oid}/collections/${id}`)).status).toBe(200);
    const told = () => new Set(receiver.received.map(({ body }) => (body as { itemId: string }).itemId));
    await eventually(() => expect(kept.filter((id) => !told().has(id))).toEqual([]), STEP_MS);
    if (mortal) await killApiProcess(mortal);
    mortal = null;
    left.clock.set(new Date(Date.now()));
    await expectInvariants(left);
    const docs = await left.connection.collection('crawls').find({}).toArray();
    const recorded = docs.flatMap((doc) => (doc['files'] as { filename: string }[]).map(({ filename }) => filename));
    const store = left.app.get(Storages, { strict: false }).resolveDefault({ name: 'default', custom: false });
    expect((await store.list('')).objects.map(({ key }) => key).sort()).toEqual(recorded.sort());
    const figures = [`${String(KILLS)} kills`, `${String(acts)} calls`, `${String(kept.length)} uploads kept`];
    sayFigures([...figures, `${String(suspects.length)} jobs tried again after it`].join(', '));
  }, 7_200_000);
});

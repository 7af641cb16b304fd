import { expectInvariants } from '../../support/invariants.js';
import { indexedWacz, revisit, type Capture } from '../../support/indexed-wacz.js';
import { MortalApi, STEP_MS, updates } from '../../support/mortal-api.js';
import type { TappedCommand } from '../../support/mongo-tap.js';

const inserts =
  (collection: string, nth = 1) =>
  ({ name, collection: of }: TappedCommand) =>
    name === 'insert' && of === collection && --nth <= 0;
const deletes = ({ name, collection }: TappedCommand) => name === 'delete' && collection === 'dedupe_hashes';

const BODIES = 2_500;
function* captures(): Generator<Capture> {
  for (let n = 0; n < BODIES; n++) yield { url: `https://a.example/${n}`, body: `body ${n}` };
  for (let n = 0; n < 10; n++) yield revisit(`https://a.example/again/${n}`, `body ${n}`);
}

describe('an import into a dedupe index that is killed', () => {
  let api: MortalApi;
  let oid: string;
  let collectionId: string;

  beforeAll(async () => {
    api = await MortalApi.create();
    const admin = await api.admin();
    oid = (await admin.get('/orgs')).body.items[0].id as string;
    collectionId = (await admin.post(`/orgs/${oid}/collections`, { name: 'Index' })).body.id as string;
    for (const filename of ['1.wacz', '2.wacz']) {
      const raw = new Uint8Array(await indexedWacz(captures()));
      const query = { filename, collections: collectionId };
      expect((await admin.put(`/orgs/${oid}/uploads/stream`, undefined, { query, raw })).status).toBe(200);
    }
    await api.settled();
  }, 2 * STEP_MS);
  afterAll(() => api?.close(), STEP_MS);

  beforeEach(async () => {
    await api.revive();
    await api.settled();
  }, 2 * STEP_MS);

  it.each([
    ['before its job is started', 'create', () => api.tap.cutBefore(updates('collections', '"importing"'))],
    ['at its first entries', 'purge', () => api.tap.cutBefore(inserts('dedupe_hashes'))],
    ['behind its second entries', 'purge', () => api.tap.cutBehind(inserts('dedupe_hashes', 2))],
    [
      'when all entries are there and the file is not done',
      'purge',
      () => api.tap.cutBefore(updates('dedupe_sources', '"imported"')),
    ],
    ['when one file is done', 'purge', () => api.tap.cutBehind(updates('dedupe_sources', '"imported"'))],
    ['while old entries are deleted', 'purge', () => api.tap.cutBehind(deletes)],
    ['before the index is ready', 'purge', () => api.tap.cutBefore(updates('collections', '"ready"'))],
  ])(
    '%s, is made up for by the next process',
    async (_at, action, cut) => {
      const admin = await api.admin();
      await api.killAt(cut(), admin.post(`/orgs/${oid}/collections/${collectionId}/dedupeIndex/${action}`, {}));
      await api.afterwards(async (next) => {
        const client = await next.admin();
        const path = `/orgs/${oid}/collections/${collectionId}`;
        await expectInvariants(next);
        // A creation that was killed before its commit did not happen.
        if ((await client.get(path)).body.indexState === null) await client.post(`${path}/dedupeIndex/create`);
        await expectInvariants(next);
        expect((await client.get(path)).body).toMatchObject({ indexState: 'ready' });
        expect((await client.get(path)).body.indexStats).toMatchObject({
          totalUrls: 2 * (BODIES + 10),
          dupeUrls: 20,
          conservedSize: 20 * (5_000 - 400),
          uniqueHashes: BODIES,
          estimatedRedundantSize: BODIES * 5_000,
          totalCrawls: 2,
          removedCrawls: 0,
        });
        expect(await next.connection.collection('dedupe_hashes').countDocuments()).toBe(BODIES);
        expect(await next.connection.collection('dedupe_sources').countDocuments()).toBe(2);
      });
    },
    3 * STEP_MS,
  );
});

import { expectInvariants } from '../../support/invariants.js';
import { MortalApi, STEP_MS, updates } from '../../support/mortal-api.js';
import type { TappedCommand } from '../../support/mongo-tap.js';
import { waczOf } from '../../support/zip.js';

const startsJob = updates('jobs', '"type":"update-coll-stats"');
const endsJob = updates('jobs', '"success":true');
const writesFigures = updates('collections', '"lastStatsUpdateStarted"');
const writesSums = updates('organizations', '"bytesStoredThumbnails"');
const readsPages = ({ name, collection }: TappedCommand) => name === 'aggregate' && collection === 'pages';

describe('the computation of statistics that is killed', () => {
  let api: MortalApi;
  let oid: string;
  let collectionId: string;
  let ids: string[];

  beforeAll(async () => {
    api = await MortalApi.create();
    const admin = await api.admin();
    oid = (await admin.get('/orgs')).body.items[0].id as string;
    collectionId = (await admin.post(`/orgs/${oid}/collections`, { name: 'All' })).body.id as string;
    const raw = new Uint8Array(await waczOf(['https://a.example/', 'https://b.example/']));
    ids = [];
    for (const filename of ['1.wacz', '2.wacz']) {
      const { status, body } = await admin.put(`/orgs/${oid}/uploads/stream`, undefined, { query: { filename }, raw });
      expect(status).toBe(200);
      ids.push(body.id as string);
    }
    await api.settled();
  }, 2 * STEP_MS);
  afterAll(() => api?.close(), STEP_MS);

  beforeEach(async () => {
    await api.revive();
    await api.settled();
  }, 2 * STEP_MS);

  const lastOf = (type: string) =>
    api.connection.collection('jobs').find({ type }).sort({ started: -1 }).limit(1).toArray();

  it.each([
    ['before they are counted', () => api.tap.cutBefore(readsPages), 'add', 2],
    ['before their job is started', () => api.tap.cutBefore(startsJob), 'remove', 0],
    ['before they are written', () => api.tap.cutBefore(writesFigures), 'add', 2],
    ['when they are written and the job is not done', () => api.tap.cutBehind(writesFigures), 'remove', 0],
    ['when the job is done', () => api.tap.cutBehind(endsJob), 'add', 2],
  ])(
    'of a collection, %s, is made up for by the next process',
    async (_at, cut, change, left) => {
      const admin = await api.admin();
      await api.killAt(cut(), admin.post(`/orgs/${oid}/collections/${collectionId}/${change}`, { crawlIds: ids }));
      await api.afterwards(async (next) => {
        await expectInvariants(next);
        const collection = await next.connection.collection('collections').findOne({});
        expect(collection).toMatchObject({ crawlCount: left, pageCount: 2 * left });
        expect(await lastOf('update-coll-stats')).toMatchObject([{ success: true }]);
        const { body } = await (await next.admin()).get(`/orgs/${oid}/collections/${collectionId}`);
        expect(body).toMatchObject({ crawlCount: left, pageCount: 2 * left, runningUpdatesCount: 0 });
      });
    },
    3 * STEP_MS,
  );

  it.each([
    ['before they are written', () => api.tap.cutBefore(writesSums)],
    ['when they are written and the job is not done', () => api.tap.cutBehind(writesSums)],
  ])(
    "of an org's storage, %s, is made up for by the next process",
    async (_at, cut) => {
      const orgs = api.connection.collection('organizations');
      await orgs.updateOne({}, { $inc: { bytesStored: 1000, bytesStoredUploads: 1000 } });
      const admin = await api.admin();
      await api.killAt(cut(), admin.post(`/orgs/${oid}/recalculate-storage`));
      await api.afterwards(async (next) => {
        await expectInvariants(next);
        expect(await lastOf('recalculate-org-stats')).toMatchObject([{ success: true, previousAttempts: null }]);
      });
    },
    3 * STEP_MS,
  );
});

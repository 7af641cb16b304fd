import { Storages } from '../../../src/storage/storages.js';
import { eventually } from '../../support/eventually.js';
import { expectInvariants } from '../../support/invariants.js';
import { MortalApi, STEP_MS } from '../../support/mortal-api.js';
import type { TappedCommand } from '../../support/mongo-tap.js';
import { waczOf } from '../../support/zip.js';

const is = (name: string, collection: string) => (command: TappedCommand) =>
  command.name === name && command.collection === collection;
/** Whether a command marks items as being deleted. Other updates of items are not part of a transaction. */
const marksItems = (command: TappedCommand): boolean =>
  is('update', 'crawls')(command) && command.body['autocommit'] === false;
const takesItem = (command: TappedCommand): boolean =>
  is('findAndModify', 'crawls')(command) && command.body['remove'] === true;
const writesFigures = is('update', 'collections');
/** Matches the first `then` command after a `first` one. Earlier work of the service writes figures too. */
function after(first: (command: TappedCommand) => boolean, then: (command: TappedCommand) => boolean) {
  let isSeen = false;
  return (command: TappedCommand): boolean => {
    isSeen ||= first(command);
    return isSeen && then(command);
  };
}
/** Matches the commit of the transaction that contains this step. */
function commitOf(step: (command: TappedCommand) => boolean) {
  let session: string | null = null;
  const idOf = ({ body }: TappedCommand): string => JSON.stringify(body['lsid']);
  return (command: TappedCommand): boolean => {
    if (session === null && step(command)) session = idOf(command);
    return command.name === 'commitTransaction' && session === idOf(command);
  };
}

describe('the deletion of items that is killed', () => {
  let api: MortalApi;
  let oid: string;
  let collectionId: string;
  let ids: string[];

  beforeAll(async () => {
    api = await MortalApi.create();
    const admin = await api.admin();
    oid = (await admin.get('/orgs')).body.items[0].id as string;
    const made = await admin.post(`/orgs/${oid}/collections`, { name: 'All' });
    collectionId = made.body.id as string;
  }, STEP_MS);
  afterAll(() => api?.close(), STEP_MS);

  /** Makes three uploads in a collection, and waits until their pages are read and counted. */
  beforeEach(async () => {
    await api.revive();
    const admin = await api.admin();
    const raw = new Uint8Array(await waczOf(['https://a.example/', 'https://b.example/']));
    ids = [];
    for (const n of [1, 2, 3]) {
      const query = { filename: `${n}.wacz`, collections: collectionId };
      const { status, body } = await admin.put(`/orgs/${oid}/uploads/stream`, undefined, { query, raw });
      expect(status).toBe(200);
      ids.push(body.id as string);
    }
    await eventually(async () => {
      const { body } = await admin.get(`/orgs/${oid}/collections/${collectionId}`);
      expect(body).toMatchObject({ crawlCount: 3, pageCount: 6, runningUpdatesCount: 0 });
      expect(await api.connection.collection('jobs').countDocuments({ finished: null })).toBe(0);
    }, STEP_MS / 2);
  }, 2 * STEP_MS);

  it.each([
    ['before its first step', () => api.tap.cutBefore(marksItems), 3],
    ['when all are marked', () => api.tap.cutBehind(commitOf(marksItems)), 0],
    ['before the pages go', () => api.tap.cutBefore(is('delete', 'pages')), 0],
    ['when the pages are gone', () => api.tap.cutBehind(is('delete', 'pages')), 0],
    ['before the document goes', () => api.tap.cutBefore(commitOf(takesItem)), 0],
    ['when the document is gone and the object there', () => api.tap.cutBehind(commitOf(takesItem)), 0],
    ['when the object is gone', () => api.tap.cutBefore(is('delete', 'file_deletions')), 0],
    ['before the statistics are written', () => api.tap.cutBefore(after(commitOf(marksItems), writesFigures)), 0],
  ])(
    '%s leaves whole items, right counters and nothing in the store',
    async (_at, cut, left) => {
      const admin = await api.admin();
      await api.killAt(cut(), admin.post(`/orgs/${oid}/uploads/delete`, { crawl_ids: ids }));
      await api.afterwards(async (next) => {
        await expectInvariants(next);
        const there = await next.connection.collection('crawls').countDocuments({});
        expect(there).toBe(left);
        const collection = await next.connection.collection('collections').findOne({});
        expect(collection).toMatchObject({ crawlCount: left, pageCount: 2 * left });
        if (left === 0) return;
        const again = await (await next.admin()).post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: ids });
        expect(again.status).toBe(200);
        await expectInvariants(next);
      });
    },
    3 * STEP_MS,
  );

  it(
    'a seed file whose service is killed before its record leaves nothing in the store',
    async () => {
      const admin = await api.admin();
      const raw = new TextEncoder().encode('https://a.example/\n');
      const put = admin.put(`/orgs/${oid}/files/seedFile`, undefined, { query: { filename: 'a.txt' }, raw });
      await api.killAt(api.tap.cutBefore(is('insert', 'file_uploads')), put);
      await api.afterwards(async (next) => {
        await expectInvariants(next);
        expect(await next.connection.collection('file_uploads').countDocuments({})).toBe(0);
        const { objects } = await next.app.get(Storages).resolveDefault({ name: 'default', custom: false }).list('');
        expect(objects.filter(({ key }) => key.includes('seedFiles'))).toEqual([]);
      });
    },
    3 * STEP_MS,
  );
});

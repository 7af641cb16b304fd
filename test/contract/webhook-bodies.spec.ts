import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { DomainEvents } from '../../src/events/domain-events.js';
import { ItemDeleter } from '../../src/items/deletion/item-deleter.js';
import { JobWorker } from '../../src/jobs/job-worker.js';
import { PagesRepository } from '../../src/pages/data/pages.repository.js';
import { DeliveryWorker } from '../../src/webhooks/delivery-worker.js';
import { WEBHOOK_EVENT_TYPES } from '../../src/webhooks/events/webhook-events.js';
import type { ApiClient } from '../support/api-client.js';
import { CrawlStage } from '../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { waczOf } from '../support/zip.js';

/** The contract's own document, not ours: what its clients were written for. */
const contract = JSON.parse(readFileSync(new URL('openapi.json', import.meta.url), 'utf8'));
/** Exact keys of each body (archive §11). */
const KEYS: Record<string, string[]> = {
  crawlStarted: ['orgId', 'itemId', 'scheduled', 'event'],
  crawlFinished: ['orgId', 'itemId', 'resources', 'state', 'event'],
  crawlDeleted: ['orgId', 'itemId', 'event'],
  qaAnalysisStarted: ['orgId', 'itemId', 'event', 'qaRunId'],
  qaAnalysisFinished: ['orgId', 'itemId', 'resources', 'state', 'event', 'qaRunId'],
  crawlReviewed: ['orgId', 'itemId', 'event', 'reviewStatus', 'reviewStatusLabel', 'description'],
  uploadFinished: ['orgId', 'itemId', 'resources', 'state', 'event'],
  uploadDeleted: ['orgId', 'itemId', 'event'],
  addedToCollection: ['orgId', 'collectionId', 'itemIds', 'downloadUrl', 'event'],
  removedFromCollection: ['orgId', 'collectionId', 'itemIds', 'downloadUrl', 'event'],
  collectionDeleted: ['orgId', 'event', 'collectionId'],
};
const RESOURCE = ['name', 'path', 'hash', 'size', 'crawlId', 'numReplicas', 'expireAt', 'fromDependency'];

describe('what is told of what happens in an org', () => {
  let on: AppUnderTest;
  let api: ApiClient;
  let stage: CrawlStage;
  let oid: string;
  let receiver: WebhookReceiver;
  let wacz: Buffer;
  /** Everything told in this file. */
  const told: any[] = [];
  const ajv = new Ajv2020({ strict: false });

  beforeAll(async () => {
    on = await startApp({ env: { ALLOW_PRIVATE_ADDRESSES: 'webhooks' } });
    [api, stage, receiver] = [await on.admin(), await CrawlStage.of(on), await startReceiver()];
    oid = stage.oid;
    stage.driver.script({ pagesPerSeed: 2, pageSeconds: 4 });
    wacz = await waczOf(['https://a.example/']);
    ajv.addSchema({ $id: 'doc', components: contract.components }, 'doc');
    const urls = Object.fromEntries(WEBHOOK_EVENT_TYPES.map((event) => [event, `${receiver.url}${event}`]));
    expect((await api.post(`/orgs/${oid}/event-webhook-urls`, urls)).status).toBe(200);
  });
  afterAll(async () => {
    await on?.close();
    await receiver?.close();
  });

  /** What has been told since the last call, each with its own event's URL. */
  const news = async (): Promise<any[]> => {
    await on.app.get(JobWorker, { strict: false }).drain();
    await on.app.get(DomainEvents, { strict: false }).drain();
    await on.app.get(DeliveryWorker, { strict: false }).drain();
    const came = receiver.received.splice(0);
    for (const { path, body } of came) expect(path).toBe(`/${body.event}`);
    told.push(...came.map(({ body }) => body));
    return came.map(({ body }) => body);
  };
  /** Event and what tells apart, sorted: the order between items and collections is open. */
  const inBrief = (bodies: any[]) =>
    bodies
      .map(({ event, itemId, itemIds, collectionId, qaRunId }) =>
        [event, qaRunId ?? itemId ?? collectionId, ...(itemIds ?? [])].join(' '),
      )
      .sort();
  const upload = async (query: Record<string, string> = {}): Promise<string> => {
    const raw = new Uint8Array(wacz);
    const path = `/orgs/${oid}/uploads/stream`;
    return (await api.put(path, undefined, { query: { filename: 'a.wacz', ...query }, raw })).body.id;
  };
  const aCollection = async (name: string, crawlIds: string[] = []): Promise<string> =>
    (await api.post(`/orgs/${oid}/collections`, { name, crawlIds })).body.id;
  const resourcesOf = (body: any) => body.resources.map((resource: object) => Object.keys(resource).sort());

  it('a crawl into a collection: its start, its end and the collection, once each', async () => {
    const collectionId = await aCollection('Auto');
    const crawlId = await stage.aCrawl({ autoAddCollections: [collectionId] });
    await stage.until(crawlId, 'complete');
    const bodies = await news();
    expect(inBrief(bodies)).toEqual(
      [`addedToCollection ${collectionId} ${crawlId}`, `crawlFinished ${crawlId}`, `crawlStarted ${crawlId}`].sort(),
    );
    const finished = bodies.find(({ event }) => event === 'crawlFinished');
    expect(finished).toMatchObject({ state: 'complete' });
    expect(resourcesOf(finished)).toEqual([[...RESOURCE].sort()]);
    expect(bodies.map(({ event }) => event).indexOf('crawlStarted')).toBeLessThan(bodies.indexOf(finished));

    const qaRunId = (await api.post(`/orgs/${oid}/crawls/${crawlId}/qa/start`)).body.started as string;
    for (let round = 0; (await stage.item(crawlId)).qa && round < 200; round++) await stage.pass(5, 1);
    const ofQa = await news();
    expect(ofQa.map(({ event, itemId, qaRunId: id }) => [event, itemId, id])).toEqual([
      ['qaAnalysisStarted', crawlId, qaRunId],
      ['qaAnalysisFinished', crawlId, qaRunId],
    ]);

    await api.post(`/orgs/${oid}/crawls/delete`, { crawl_ids: [crawlId] });
    expect(inBrief(await news())).toEqual([
      `crawlDeleted ${crawlId}`,
      `removedFromCollection ${collectionId} ${crawlId}`,
    ]);
  });

  it('a crawl that is canceled: its end without resources, and no collection', async () => {
    const collectionId = await aCollection('Never');
    const crawlId = await stage.aCrawl({ autoAddCollections: [collectionId] });
    await stage.until(crawlId, 'running');
    await api.post(`/orgs/${oid}/crawls/${crawlId}/cancel`);
    await stage.until(crawlId, 'canceled');
    const bodies = await news();
    expect(inBrief(bodies)).toEqual([`crawlFinished ${crawlId}`, `crawlStarted ${crawlId}`]);
    expect(bodies.find(({ event }) => event === 'crawlFinished')).toMatchObject({ state: 'canceled', resources: [] });
  });

  it('an upload into two collections: its end and each collection, once each', async () => {
    const [one, two] = [await aCollection('One'), await aCollection('Two')];
    const itemId = await upload({ collections: `${one},${two}` });
    const bodies = await news();
    expect(inBrief(bodies)).toEqual(
      [`addedToCollection ${one} ${itemId}`, `addedToCollection ${two} ${itemId}`, `uploadFinished ${itemId}`].sort(),
    );
    expect(bodies[0]).toMatchObject({ event: 'uploadFinished', state: 'complete' });
    expect(resourcesOf(bodies[0])).toEqual([[...RESOURCE].sort()]);
    expect(bodies[0].resources[0].expireAt).toMatch(/Z$/);
    await api.post(`/orgs/${oid}/uploads/delete`, { crawl_ids: [itemId] });
    expect(inBrief(await news())).toEqual(
      [
        `removedFromCollection ${one} ${itemId}`,
        `removedFromCollection ${two} ${itemId}`,
        `uploadDeleted ${itemId}`,
      ].sort(),
    );
  });

  describe('several items that are deleted at once', () => {
    /** Two collections of two uploads each, which share one. */
    const shared = async (name: string) => {
      const [one, two] = [await aCollection(`${name} 1`), await aCollection(`${name} 2`)];
      const [a, both, b] = [
        await upload({ collections: one }),
        await upload({ collections: `${one},${two}` }),
        await upload({ collections: two }),
      ];
      await news();
      return {
        ids: [a, both, b],
        all: [
          `removedFromCollection ${one} ${[a, both].sort().join(' ')}`,
          `removedFromCollection ${two} ${[both, b].sort().join(' ')}`,
          ...[a, both, b].map((id) => `uploadDeleted ${id}`),
        ].sort(),
      };
    };
    const lost = (bodies: any[]) =>
      inBrief(bodies.map((body) => ({ ...body, itemIds: [...(body.itemIds ?? [])].sort() })));

    it.each(['all-crawls', 'uploads'])(
      'by %s: each of their collections once, with all that it loses',
      async (kind) => {
        const { ids, all } = await shared(`By ${kind}`);
        expect((await api.post(`/orgs/${oid}/${kind}/delete`, { crawl_ids: ids })).status).toBe(200);
        expect(lost(await news())).toEqual(all);
      },
    );

    it('once each also when it breaks off in the middle and is gone on with', async () => {
      const { ids, all } = await shared('Broken off');
      const pages = on.app.get(PagesRepository, { strict: false });
      const { deleteOf } = pages;
      const breaksAt = ids[1] as string;
      pages.deleteOf = (org, itemIds) =>
        itemIds.includes(breaksAt) ? Promise.reject(new Error('breaks off')) : deleteOf.call(pages, org, itemIds);
      try {
        expect((await api.post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: ids })).status).toBe(500);
      } finally {
        pages.deleteOf = deleteOf;
      }
      const left = await on.connection.collection<{ _id: string }>('crawls').countDocuments({ _id: { $in: ids } });
      expect(left).toBe(2);
      expect(await on.app.get(ItemDeleter, { strict: false }).recover()).toBe(2);
      expect(lost(await news())).toEqual(all);
    });
  });

  it('every way into a collection and out of it, once each', async () => {
    const [a, b] = [await upload(), await upload()];
    await news();
    const made = await aCollection('Made with items', [a, b]);
    const [body, ...more] = await news();
    expect([body.collectionId, [...body.itemIds].sort(), more]).toEqual([made, [a, b].sort(), []]);
    expect(body.downloadUrl).toMatch(new RegExp(`/api/orgs/${oid}/collections/${made}/download$`));

    const other = await aCollection('Other');
    await api.post(`/orgs/${oid}/collections/${other}/add`, { crawlIds: [a] });
    expect(inBrief(await news())).toEqual([`addedToCollection ${other} ${a}`]);
    await api.patch(`/orgs/${oid}/all-crawls/${a}`, { collectionIds: [other] });
    expect(inBrief(await news())).toEqual([`removedFromCollection ${made} ${a}`]);
    await api.patch(`/orgs/${oid}/all-crawls/${b}`, { collectionIds: [made, other] });
    expect(inBrief(await news())).toEqual([`addedToCollection ${other} ${b}`]);
    await api.post(`/orgs/${oid}/collections/${other}/remove`, { crawlIds: [b] });
    expect(inBrief(await news())).toEqual([`removedFromCollection ${other} ${b}`]);
    await api.delete(`/orgs/${oid}/collections/${other}`);
    expect(inBrief(await news())).toEqual([`collectionDeleted ${other}`]);
  });

  it('a review, with the description after it; none when nothing is reviewed', async () => {
    const itemId = await upload();
    await news();
    await api.patch(`/orgs/${oid}/all-crawls/${itemId}`, { description: 'Before', reviewStatus: null });
    expect(await news()).toEqual([]);
    await api.patch(`/orgs/${oid}/all-crawls/${itemId}`, { reviewStatus: 4 });
    expect(await news()).toMatchObject([{ itemId, reviewStatus: 4, reviewStatusLabel: 'Good', description: 'Before' }]);
  });

  it.each(WEBHOOK_EVENT_TYPES)('%s has exactly the keys of the contract, and is what its document says', (event) => {
    const bodies = told.filter((body) => body.event === event);
    expect(bodies.length).toBeGreaterThan(0);
    const { $ref } = contract.webhooks[event].post.requestBody.content['application/json'].schema;
    const validate = ajv.compile({ $ref: `doc${$ref}` });
    for (const body of bodies) {
      expect(Object.keys(body).sort()).toEqual([...(KEYS[event] ?? [])].sort());
      expect([validate(body), validate.errors]).toEqual([true, null]);
      expect(body.orgId).toBe(oid);
    }
  });
});

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Mails } from '../../../src/mail/mails.js';
import { DomainEvents } from '../../../src/events/domain-events.js';
import type { DomainEvent } from '../../../src/events/event-types.js';
import { OnFact } from '../../../src/events/on-fact.js';
import { DeliveryWorker } from '../../../src/webhooks/delivery-worker.js';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { startReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';
import { hours, seconds } from '../../../src/common/units/durations.js';

const told: { state: string; order: number }[] = [];
class DiesAtFirst {
  @OnFact('qa.finished', 'test.order', { inOrder: true })
  async hear({ payload, order }: DomainEvent<'qa.finished'>): Promise<void> {
    await Promise.resolve(told.push({ state: payload.state, order }));
    if (told.length === 1) throw new Error('the process dies here');
  }
}

describe('event webhooks', () => {
  let t: AppUnderTest;
  let owner: ApiClient;
  let oid: string;
  let receiver: WebhookReceiver;
  const env = { ALLOW_PRIVATE_ADDRESSES: 'webhooks', WEBHOOK_PAUSE_AFTER_HOURS: '2' };

  beforeAll(async () => {
    t = await startApp({
      env,
      overrides: [{ module: class {}, providers: [DiesAtFirst] }],
    });
    owner = await t.admin();
    oid = await t.defaultOrgId();
    const member = { email: 'hook-owner@example.org', password: 'owner of the hooks', name: 'Olga', role: 40 };
    await owner.post(`/orgs/${oid}/add-user`, member);
  });
  afterAll(() => t?.close());
  beforeEach(async () => {
    receiver = await startReceiver();
    await t.connection.collection('webhooks').deleteMany({});
    await t.connection.collection('webhook_endpoints').deleteMany({});
  });
  afterEach(() => receiver.close());

  const configure = async (urls: Record<string, string | null>) => {
    const { status } = await owner.post(`/orgs/${oid}/event-webhook-urls`, urls);
    expect(status).toBe(200);
  };
  const events = () => t.app.get(DomainEvents, { strict: false });
  const worker = () => t.app.get(DeliveryWorker, { strict: false });
  const started = (crawlId: string) => events().publish('crawl.started', { oid, crawlId, scheduled: false });
  const list = async (query = {}) => (await owner.get(`/orgs/${oid}/webhooks`, query)).body;
  /** Lets every planned wait pass. */
  const deliverAll = async () => {
    for (let round = 0; round < 6; round++) {
      await worker().drain();
      t.clock.advance(seconds(15));
    }
  };

  it('stores nothing for an event without a URL', async () => {
    await configure({ crawlFinished: receiver.url });
    await started('manual-20201121080000-aaaaaaaa-aaa');
    await deliverAll();
    expect(await list()).toMatchObject({ total: 0, items: [] });
    expect(receiver.received).toEqual([]);
  });

  it('posts the exact body, signed so that the official library verifies it', async () => {
    await configure({ crawlStarted: receiver.url });
    const itemId = 'manual-20201121080001-aaaaaaaa-aaa';
    await started(itemId);
    await deliverAll();
    const [got] = receiver.received;
    expect(got?.body).toEqual({ orgId: oid, itemId, scheduled: false, event: 'crawlStarted' });
    expect(got?.headers['content-length']).toBe(String(Buffer.byteLength(got?.text ?? '')));
    const { body } = await owner.get(`/orgs/${oid}/event-webhook-secret`);
    // The library compares with the real clock, the service's stands still: set the tolerance aside by the signature alone.
    const timestamp = Number(got?.headers['webhook-timestamp']);
    expect(timestamp).toBe(Math.floor(t.clock.nowMs() / 1000) - 90);
    const signature = new Webhook(body.secret).sign(
      String(got?.headers['webhook-id']),
      new Date(timestamp * 1000),
      got?.text ?? '',
    );
    expect(got?.headers['webhook-signature']).toBe(signature);
    const { items } = await list();
    expect(items).toMatchObject([
      { event: 'crawlStarted', success: true, attempts: 1, oid, id: got?.headers['webhook-id'] },
    ]);
  });

  it('sends an example on demand, signed, and keeps nothing of it', async () => {
    await configure({ crawlStarted: null, crawlFinished: receiver.url });
    const test = (event: string) => owner.post(`/orgs/${oid}/event-webhook-endpoints/${event}/test`);
    const { status, body } = await test('crawlFinished');
    expect([status, body]).toMatchObject([200, { success: true, status: 200 }]);
    const [got] = receiver.received;
    expect(got?.body).toMatchObject({ orgId: oid, event: 'crawlFinished', state: 'complete', test: true });
    expect(got?.headers['webhook-signature']).toMatch(/^v1,/);
    receiver.answer = (_, response) => void response.writeHead(503).end('not now');
    expect((await test('crawlFinished')).body).toMatchObject({ success: false, status: 503, answer: 'not now' });
    const none = await test('crawlStarted');
    expect([none.status, none.body]).toEqual([404, { detail: 'webhook_url_not_set' }]);
    expect((await test('nothing')).status).toBe(422);
    expect(await list()).toMatchObject({ total: 0, items: [] });
    const endpoints = (await owner.get(`/orgs/${oid}/event-webhook-endpoints`)).body.items;
    expect(endpoints.every(({ failingSince }: { failingSince: unknown }) => failingSince === null)).toBe(true);
  });

  it('tells of a crawl start only once', async () => {
    await configure({ crawlStarted: receiver.url });
    await started('manual-20201121080002-aaaaaaaa-aaa');
    await started('manual-20201121080002-aaaaaaaa-aaa');
    await deliverAll();
    expect(receiver.received).toHaveLength(1);
  });

  it('makes five tries with increasing waits in one overall attempt, all under one webhook-id', async () => {
    receiver.answer = (_, response) => void response.writeHead(500).end('broken');
    await configure({ crawlStarted: receiver.url });
    await started('manual-20201121080003-aaaaaaaa-aaa');
    await worker().drain();
    expect((await list()).items[0]).toMatchObject({ attempts: 1, success: false, lastAttempted: expect.any(String) });
    await deliverAll();
    expect(receiver.received).toHaveLength(5);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    const { items } = await list();
    expect(items[0]).toMatchObject({ attempts: 1, success: false });
    expect(items[0].tries).toHaveLength(5);
    expect(items[0].tries[0]).toMatchObject({ status: 500, answer: 'broken' });
  });

  it('stops at the first success', async () => {
    let calls = 0;
    receiver.answer = (_, response) => void response.writeHead(++calls < 5 ? 500 : 200).end();
    await configure({ crawlStarted: receiver.url });
    await started('manual-20201121080004-aaaaaaaa-aaa');
    await deliverAll();
    expect([calls, (await list()).items[0].success]).toEqual([5, true]);
  });

  it.each([
    [301, { location: 'http://127.0.0.1:9/' }],
    [410, {}],
  ])('counts %i as a failed try and follows no redirect', async (status, headers) => {
    receiver.answer = (_, response) => void response.writeHead(status, headers as Record<string, string>).end();
    await configure({ crawlStarted: receiver.url });
    await started(`manual-2020112108000${status === 301 ? 5 : 6}-aaaaaaaa-aaa`);
    await worker().drain();
    expect((await list()).items[0]).toMatchObject({ success: false, tries: [{ status }] });
  });

  it('survives a receiver that cuts the connection or sends far too much', async () => {
    let calls = 0;
    receiver.answer = (_, response) => {
      if (++calls === 1) return void response.destroy();
      response.writeHead(200);
      const chunk = 'x'.repeat(1 << 16);
      const pump = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', pump);
      };
      pump();
    };
    await configure({ crawlStarted: receiver.url });
    await started('manual-20201121080007-aaaaaaaa-aaa');
    await deliverAll();
    const [notification] = (await list()).items;
    expect(notification).toMatchObject({ success: true });
    expect(notification.tries[1].answer).toHaveLength(1000);
  });

  it('retries on demand to the URL that is configured now', async () => {
    await configure({ crawlStarted: 'http://127.0.0.1:9/' });
    await started('manual-20201121080008-aaaaaaaa-aaa');
    await deliverAll();
    const [{ id }] = (await list()).items;
    await configure({ crawlStarted: receiver.url });
    expect((await owner.post(`/orgs/${oid}/webhooks/${id}/retry`)).body).toEqual({ success: true });
    await deliverAll();
    expect(receiver.received).toHaveLength(1);
    expect((await owner.get(`/orgs/${oid}/webhooks/${id}`)).body).toMatchObject({ success: true, attempts: 2 });
  });

  it('goes on where a dead process stopped', async () => {
    receiver.answer = (_, response) => void response.writeHead(500).end();
    await configure({ crawlStarted: receiver.url });
    await started('manual-20201121080009-aaaaaaaa-aaa');
    await worker().drain();
    // A process claimed the second try and died.
    const lease = new Date(t.clock.nowMs() + 120_000);
    await t.connection.collection('webhooks').updateOne({}, { $set: { 'plan.leaseUntil': lease } });
    receiver.answer = (_, response) => void response.end();
    t.clock.advance(60_000);
    await worker().drain();
    expect(receiver.received).toHaveLength(1);
    t.clock.advance(61_000);
    await worker().drain();
    expect(receiver.received).toHaveLength(2);
    expect((await list()).items[0].tries).toHaveLength(2);
  });

  it('stops without beginning what waits, which another process sends at once', async () => {
    const answers: (() => void)[] = [];
    receiver.answer = (_, response) => void answers.push(() => response.end());
    await configure({ crawlStarted: receiver.url, crawlFinished: receiver.url });
    const other = await startApp({ like: t, env });
    const recorded = other.app.get(DomainEvents, { strict: false });
    const crawlId = 'manual-20201121080016-aaaaaaaa-aaa';
    await recorded.publish('crawl.started', { oid, crawlId, scheduled: false });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await recorded.publish('crawl.finished', { oid, crawlId, cid: oid, state: 'failed', fileSize: 0 });
    const sending = other.app.get(DeliveryWorker, { strict: false });
    await sending.look();
    const stopping = jest.spyOn(sending, 'beforeApplicationShutdown');
    const stopped = other.stop();
    await eventually(() => expect(stopping).toHaveBeenCalled());
    answers[0]?.();
    await stopped;
    const { items } = await list();
    expect(
      Object.fromEntries(items.map(({ event, success, tries = [] }: any) => [event, [success, tries.length]])),
    ).toEqual({ crawlStarted: [true, 1], crawlFinished: [false, 0] });
    receiver.answer = (_, response) => void response.end();
    await worker().drain();
    expect(receiver.received.map(({ body }) => body.event)).toEqual(['crawlStarted', 'crawlFinished']);
  });

  it('pauses an endpoint that only fails, keeps what comes, and sends it when it is resumed', async () => {
    receiver.answer = (_, response) => void response.writeHead(500).end();
    await configure({ crawlStarted: receiver.url });
    await started('manual-20201121080010-aaaaaaaa-aaa');
    await deliverAll();
    t.clock.advance(hours(3));
    await started('manual-20201121080011-aaaaaaaa-aaa');
    await deliverAll();
    const paused = async () =>
      (await owner.get(`/orgs/${oid}/event-webhook-endpoints`)).body.items.find(
        (e: { event: string }) => e.event === 'crawlStarted',
      );
    expect(await paused()).toMatchObject({ paused: true, url: receiver.url });
    await t.app.get(Mails, { strict: false }).settled();
    const mails = await readdir(join(t.dataDir, 'mail'));
    const texts = await Promise.all(mails.map((name) => readFile(join(t.dataDir, 'mail', name), 'utf8')));
    expect(
      texts.filter((text) => text.includes('crawlStarted') && text.includes('hook-owner@example.org')),
    ).toHaveLength(1);
    const before = receiver.received.length;
    await started('manual-20201121080012-aaaaaaaa-aaa');
    await deliverAll();
    expect(receiver.received).toHaveLength(before);
    receiver.answer = (_, response) => void response.end();
    await owner.post(`/orgs/${oid}/event-webhook-endpoints/crawlStarted/resume`);
    await deliverAll();
    expect(receiver.received.at(-1)?.body.itemId).toBe('manual-20201121080012-aaaaaaaa-aaa');
    expect(await paused()).toMatchObject({ paused: false, failingSince: null });
  });

  it('keeps the order of one item', async () => {
    await configure({ crawlStarted: receiver.url, crawlFinished: receiver.url });
    const crawlId = 'manual-20201121080013-aaaaaaaa-aaa';
    await started(crawlId);
    await events().publish('crawl.finished', { oid, crawlId, cid: oid, state: 'failed', fileSize: 0 });
    await deliverAll();
    expect(receiver.received.map(({ body }) => body.event)).toEqual(['crawlStarted', 'crawlFinished']);
    expect(receiver.received[1]?.body).toEqual({
      orgId: oid,
      itemId: crawlId,
      resources: [],
      state: 'failed',
      event: 'crawlFinished',
    });
  });

  it('keeps it when the clock of the process that records the later fact is behind', async () => {
    await configure({ crawlStarted: receiver.url, crawlFinished: receiver.url });
    const crawlId = 'manual-20201121080014-aaaaaaaa-aaa';
    // Both wait to be sent, as behind a busy host.
    const wake = jest.spyOn(worker(), 'wake').mockReturnValue();
    await started(crawlId);
    t.clock.advance(-90);
    await events().publish('crawl.finished', { oid, crawlId, cid: oid, state: 'failed', fileSize: 0 });
    wake.mockRestore();
    t.clock.advance(90);
    await deliverAll();
    expect(receiver.received.map(({ body }) => body.event)).toEqual(['crawlStarted', 'crawlFinished']);
  });

  it('tells an earlier fact that was left behind first, also by such a clock', async () => {
    const run = { oid, crawlId: 'manual-20201121080015-aaaaaaaa-aaa', qaRunId: 'qa-1' };
    await events().publish('qa.finished', { ...run, state: 'earlier' });
    t.clock.advance(-90);
    await events().publish('qa.finished', { ...run, state: 'later' });
    t.clock.advance(90);
    expect(told.map(({ state }) => state)).toEqual(['earlier', 'earlier', 'later']);
    expect(told[2]?.order).toBeGreaterThan(told[1]?.order ?? Infinity);
  });

  it('gives collections one download URL', async () => {
    await configure({ addedToCollection: receiver.url, collectionDeleted: receiver.url });
    await events().publish('collection.itemsAdded', { oid, collectionId: oid, itemIds: ['a', 'b'] });
    await events().publish('collection.deleted', { oid, collectionId: oid });
    await deliverAll();
    expect(receiver.received.map(({ body }) => body)).toEqual([
      {
        orgId: oid,
        collectionId: oid,
        itemIds: ['a', 'b'],
        downloadUrl: expect.stringMatching(new RegExp(`[^/]/api/orgs/${oid}/collections/${oid}/download$|^/api/`)),
        event: 'addedToCollection',
      },
      { orgId: oid, collectionId: oid, event: 'collectionDeleted' },
    ]);
  });

  it('rotates the secret, and signs with both for a day', async () => {
    const before = (await owner.get(`/orgs/${oid}/event-webhook-secret`)).body.secret as string;
    const { body } = await owner.post(`/orgs/${oid}/event-webhook-secret/rotate`);
    expect(body.secret).not.toBe(before);
    await configure({ crawlStarted: receiver.url });
    await started('manual-20201121080014-aaaaaaaa-aaa');
    await deliverAll();
    expect(String(receiver.received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  });

  it.each([
    [{ sortBy: 'url' }, 'invalid_sort_by'],
    [{ sortBy: 'created', sortDirection: 2 }, 'invalid_sort_direction'],
  ])('refuses %j', async (query, detail) => {
    expect(await owner.get(`/orgs/${oid}/webhooks`, query)).toMatchObject({ status: 400, body: { detail } });
  });

  it('answers 422 to a malformed and 404 to an unknown id', async () => {
    expect((await owner.get(`/orgs/${oid}/webhooks/nope`)).status).toBe(422);
    const unknown = await owner.post(`/orgs/${oid}/webhooks/${oid}/retry`);
    expect(unknown).toMatchObject({ status: 404, body: { detail: 'notification_not_found' } });
  });
});

describe('event webhooks to private addresses', () => {
  it('are refused by default without reaching the server', async () => {
    const t = await startApp();
    const receiver = await startReceiver();
    try {
      const [owner, oid] = [await t.admin(), await t.defaultOrgId()];
      await owner.post(`/orgs/${oid}/event-webhook-urls`, {
        crawlStarted: receiver.url.replace('127.0.0.1', 'localhost'),
      });
      await t.app
        .get(DomainEvents, { strict: false })
        .publish('crawl.started', { oid, crawlId: 'manual-20201121080000-bbbbbbbb-bbb', scheduled: true });
      await t.app.get(DeliveryWorker, { strict: false }).drain();
      const { items } = (await owner.get(`/orgs/${oid}/webhooks`)).body;
      expect(items).toMatchObject([
        {
          success: false,
          attempts: 1,
          tries: [{ status: null, answer: expect.stringContaining('not a public address') }],
        },
      ]);
      // Nor is the owner told what the name leads to.
      expect(items[0].tries[0].answer).not.toMatch(/127\.0\.0\.1|::1/);
      expect(receiver.received).toEqual([]);
    } finally {
      await receiver.close();
      await t.close();
    }
  });
});

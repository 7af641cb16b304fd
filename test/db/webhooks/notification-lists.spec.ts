import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { Notification, NotificationSchema } from '../../../src/webhooks/data/notification.schema.js';
import { NotificationsQueries } from '../../../src/webhooks/data/notifications.queries.js';
import {
  NotificationsRepository,
  type ClaimedNotification,
} from '../../../src/webhooks/data/notifications.repository.js';
import { WEBHOOK_EVENT_TYPES } from '../../../src/webhooks/events/webhook-events.js';
import { TestClock } from '../../support/test-clock.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const SIZE = 1_200;
const PAGE = 20;
const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

const FILTERS = [
  {},
  { success: true },
  { success: false },
  { event: 'crawlFinished' },
  { event: 'crawlFinished', success: false },
];
const SORTS = [null, ...['success', 'event', 'attempts', 'created', 'lastAttempted']].flatMap((field) =>
  field === null ? [null] : ([1, -1] as const).map((direction) => ({ field, direction })),
);
const CASES = FILTERS.flatMap((filter) =>
  SORTS.map((sort) => [JSON.stringify({ filter, sort }), filter, sort] as const),
);

describe('lists of webhook notifications', () => {
  let database: WatchedDatabase;
  let model: Model<Notification>;
  let queries: NotificationsQueries;
  const [oid, otherOid] = [newId(), newId()];

  const notification = (n: number): Partial<Notification> => ({
    _id: newId(),
    oid: n % 3 === 0 ? otherOid : oid,
    event: WEBHOOK_EVENT_TYPES[n % 11] as string,
    body: { orgId: oid, event: WEBHOOK_EVENT_TYPES[n % 11] as string, itemId: `upload-${n}` },
    success: n % 7 !== 0,
    attempts: (n % 5) + 1,
    created: at(Math.floor(n / 4)),
    lastAttempted: n % 50 === 0 ? null : at((n * 7919) % SIZE),
    plan: null,
  });

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    model = await database.model<Notification>(Notification.name, NotificationSchema);
    queries = new NotificationsQueries(model);
    await model.insertMany(Array.from({ length: SIZE }, (_, n) => notification(n)));
  });
  afterAll(() => database?.close());

  it.each(CASES)('are read in the order of an index: %s', async (_name, filter, sort) => {
    const [rows, count, ...more] = await database.explain(() =>
      queries.list(oid, filter, sort, { page: 1, pageSize: PAGE }),
    );
    expect(more).toEqual([]);
    for (const read of [rows, count]) expect(read?.stages).not.toContain('COLLSCAN');
    expect(rows?.sorted).toBe(0);
    expect(rows?.docsExamined).toBeLessThanOrEqual(PAGE + 2);
    expect(rows?.keysExamined).toBeLessThanOrEqual(2 * PAGE + 30);
    expect(count?.docsExamined).toBe(0);
  });

  it.each(CASES)('hold every match once over all pages, in order: %s', async (_name, filter, sort) => {
    const found: Notification[] = [];
    for (let page = 1; ; page++) {
      const { rows, total } = await queries.list(oid, filter, sort, { page, pageSize: 250 });
      found.push(...rows);
      expect(total).toBe(await model.countDocuments({ ...filter, oid }));
      if (rows.length < 250) break;
    }
    expect(new Set(found.map(({ _id }) => _id)).size).toBe(await model.countDocuments({ ...filter, oid }));
    const { field, direction } = sort ?? { field: 'created', direction: 1 };
    const keys = found.map((one) => one[field as keyof Notification] ?? '') as (string | number | Date)[];
    const ordered = keys.every((key, i) => {
      const before = keys[i - 1];
      if (before === undefined || String(before) === String(key)) return true;
      if (before === '' || key === '') return (before === '') === (direction === 1);
      return direction === 1 ? before < key : before > key;
    });
    expect(ordered).toBe(true);
  });

  it("skips a busy host's and a busy org's backlog inside the index when it claims", async () => {
    const clock = new TestClock();
    clock.set(at(SIZE));
    const busy = newId();
    const plan = (host: string) => ({
      ...{ dueAt: at(0), tries: 0, counted: false, leaseUntil: new Date(0), claim: null, host },
      ...{ orderKey: newId(), seq: 1 },
    });
    const backlog = Array.from({ length: 500 }, (_, n) => ({
      ...notification(1),
      ...(n % 2 ? { plan: plan('dead.example') } : { oid: busy, plan: plan('busy.example') }),
    }));
    const [other] = [{ ...notification(1), plan: { ...plan('alive.example'), dueAt: at(1) } }];
    await model.insertMany([...backlog, other]);
    const repository = new NotificationsRepository(model, clock);
    let claimed: ClaimedNotification[] = [];
    const [candidates] = await database.explain(async () => {
      claimed = await repository.claimDue(10, { hosts: ['dead.example'], oids: [busy] });
    });
    expect(claimed.map(({ record }) => record._id)).toEqual([other?._id]);
    expect(candidates?.stages).not.toContain('COLLSCAN');
    expect([candidates?.sorted, candidates?.docsExamined]).toEqual([0, 0]);
  });
});

import type { Model } from 'mongoose';
import { AuditEvent, AuditEventSchema } from '../../../src/audit/data/audit-event.schema.js';
import { newId } from '../../../src/common/ids/uuid.js';
import {
  AuditListQueries,
  MOST_LOOKED_AT,
  type AuditFilter,
  type AuditPage,
} from '../../../src/ledger/data/audit-list.queries.js';
import type { AuditPlace } from '../../../src/ledger/data/chain.facts.js';
import { aLine } from '../../support/audit-lines.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const SIZE = 2_000;
const PAGE = 20;
const ALL: AuditFilter = { marks: [], outcome: null, from: null, to: null };
const at = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + Math.floor(n / 3) * 1000);
const during = { from: at(300), to: at(1500) };

describe('lists of the audit log', () => {
  let database: WatchedDatabase;
  let model: Model<AuditEvent>;
  let queries: AuditListQueries;
  const [oid, otherOid, user, key] = [newId(), newId(), newId(), newId()];

  const FILTERS: readonly (readonly [string, AuditFilter])[] = [
    ['all', ALL],
    ['a time', { ...ALL, ...during }],
    ['a person', { ...ALL, marks: [`u:${user}`] }],
    ['a person in a time', { ...ALL, ...during, marks: [`u:${user}`] }],
    ['a key', { ...ALL, marks: [`k:${key}`] }],
    ['an action', { ...ALL, marks: ['a:updateOrg'] }],
    ['a target', { ...ALL, marks: ['t:thing-5'] }],
    ['a target of an action, in a time', { ...ALL, ...during, marks: ['t:thing-5', 'a:updateOrg'] }],
    ['what was refused', { ...ALL, outcome: 'refused' }],
    ['what was refused to a person', { ...ALL, marks: [`u:${user}`], outcome: 'refused' }],
  ];

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    model = await database.model<AuditEvent>(AuditEvent.name, AuditEventSchema);
    queries = new AuditListQueries(model);
    const lines = Array.from({ length: SIZE }, (_, n) =>
      aLine({
        ...{ oid: n % 4 === 0 ? otherOid : n % 41 === 0 ? null : oid, at: at(n), actor: n % 5 === 0 ? user : newId() },
        ...{ key: n % 7 === 0 ? key : null, action: n % 3 === 0 ? 'updateOrg' : 'deleteCrawls' },
        ...{ target: `thing-${String(n % 10)}`, outcome: n % 11 === 0 ? 'refused' : 'done' },
      }),
    );
    await model.collection.insertMany(lines as never);
  });
  afterAll(() => database?.close());

  const matches = ({ marks, outcome, from, to }: AuditFilter, across: boolean) => ({
    ...(across ? {} : { oid }),
    ...(marks.length > 0 ? { marks: { $all: [...marks] } } : {}),
    ...(outcome ? { outcome } : {}),
    ...(from && to ? { at: { $gte: from, $lt: to } } : {}),
  });
  const page = (across: boolean, filter: AuditFilter, after: AuditPlace | null, limit: number): Promise<AuditPage> =>
    across ? queries.pageAcrossOrgs(filter, after, limit) : queries.page(oid, filter, after, limit);

  it.each(FILTERS)('of an org are read along an index, sorted: %s', async (_name, filter) => {
    const [rows, ...more] = await database.explain(() => queries.page(oid, filter, null, PAGE));
    for (const read of [rows, ...more]) expect(read?.stages).not.toContain('COLLSCAN');
    expect(rows?.sorted).toBe(0);
    const isWholeIndex = filter.marks.length < 2 && filter.outcome === null;
    if (isWholeIndex) expect(rows?.docsExamined).toBeLessThanOrEqual(PAGE + 1);
    expect(rows?.keysExamined).toBeLessThanOrEqual(isWholeIndex ? PAGE + 3 : SIZE);
  });

  it.each(FILTERS)('of all orgs are read along an index, sorted: %s', async (_name, filter) => {
    const [rows, ...more] = await database.explain(() => queries.pageAcrossOrgs(filter, null, PAGE));
    for (const read of [rows, ...more]) expect(read?.stages).not.toContain('COLLSCAN');
    expect(rows?.sorted).toBe(0);
  });

  it.each(FILTERS.flatMap(([name, filter]) => [false, true].map((across) => [name, across, filter] as const)))(
    'hold every match once over all pages, newest first: %s, across orgs: %s',
    async (_name, across, filter) => {
      const found: AuditEvent[] = [];
      let after: AuditPlace | null = null;
      do {
        const { rows, next }: AuditPage = await page(across, filter, after, 7);
        found.push(...rows);
        after = next;
      } while (after);
      const wanted = await model.find(matches(filter, across)).sort({ at: -1, _id: -1 }).lean().exec();
      expect(found.map(({ _id }) => String(_id))).toEqual(wanted.map(({ _id }) => String(_id)));
      expect(found.length).toBeGreaterThan(0);
    },
  );

  it('end a page that finds nothing among the most entries it looks at, and go on behind them', async () => {
    const many = newId();
    const lines = Array.from({ length: MOST_LOOKED_AT + 10 }, (_, n) =>
      aLine({ oid: many, at: at(n + 3), outcome: n === 4 ? 'refused' : 'done' }),
    );
    await model.collection.insertMany(lines as never);
    const first = await queries.page(many, { ...ALL, outcome: 'refused' }, null, PAGE);
    expect(first.rows).toEqual([]);
    expect(first.next).not.toBeNull();
    const second = await queries.page(many, { ...ALL, outcome: 'refused' }, first.next, PAGE);
    expect(second.rows).toHaveLength(1);
    expect(second.next).toBeNull();
  });
});

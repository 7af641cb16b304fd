import type { Model } from 'mongoose';
import { newId } from '../../../src/common/ids/uuid.js';
import { Page, PageSchema, type StoredPageQa } from '../../../src/pages/data/page.schema.js';
import { PagesQueries } from '../../../src/pages/data/pages.queries.js';
import { PagesRepository } from '../../../src/pages/data/pages.repository.js';
import { QaStatsQueries } from '../../../src/qa/data/qa-stats.queries.js';
import { aNewPage as page } from '../../support/new-page.js';
import { WatchedDatabase } from '../../support/watched-database.js';

describe('scores of a QA run', () => {
  let database: WatchedDatabase;
  let stats: QaStatsQueries;
  let pages: PagesQueries;
  const oid = newId();
  const of = (crawlId: string, isOwn: boolean) => ({ oid, crawlId, qaRunId: 'qa-1', isOwn, pages: null });
  const boundaries = { screenshotMatch: [0, 0.5, 1, 1.1], textMatch: [0, 1.1] };

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    const model: Model<Page> = await database.model<Page>(Page.name, PageSchema);
    stats = new QaStatsQueries(model);
    pages = new PagesQueries(model);
    const qa = (screenshotMatch: number | null, textMatch: number | null): { qa: Record<string, StoredPageQa> } => ({
      qa: { 'qa-1': { screenshotMatch, textMatch, resourceCounts: null } },
    });
    const scores = [qa(0, 0.2), qa(0.4999, 1), qa(0.5, null), qa(1, 0), qa(null, null), {}];
    await new PagesRepository(model).insertBatch(oid, [
      ...scores.map((more, n) => page('checked', n, more)),
      ...[page('checked', 10, { ...qa(0.3, 0.3), isFile: true }), page('checked', 11, { isFile: true, isError: true })],
      page('checked', 12, { ...qa(0.9, 0.9), isError: true }),
      ...scores.map((_more, n) => page('another', n)),
    ]);
  });
  afterAll(() => database?.close());

  it('are counted by ranges, files and failed pages left out', async () => {
    expect(await stats.buckets(of('checked', true), boundaries)).toEqual({
      screenshotMatch: [
        ...[
          { from: 0, count: 2 },
          { from: 0.5, count: 1 },
          { from: 1, count: 1 },
        ],
        { from: null, count: 2 },
      ],
      textMatch: [
        { from: 0, count: 3 },
        { from: null, count: 3 },
      ],
    });
  });

  it('are counted without reading pages other than files and failed ones', async () => {
    const plans = await database.explain(() => stats.buckets(of('checked', true), boundaries));
    expect(plans.reduce((sum, { docsExamined }) => sum + docsExamined, 0)).toBe(4);
    const filter = { qa: { runId: 'qa-1', by: 'screenshotMatch' as const, bounds: { lt: 0.5 } } };
    const known = { count: null, hasRun: true };
    const listed = await pages.page(oid, 'checked', { filter, skip: 0, limit: 2 }, known);
    expect([listed.items.length, listed.total]).toEqual([2, 3]);
  });

  it('are missing from as many pages as are known, and these are not counted then', async () => {
    const run = { ...of('checked', true), pages: 9 };
    expect(await stats.buckets(run, boundaries)).toEqual(await stats.buckets(of('checked', true), boundaries));
    const counted = await database.explain(() => stats.buckets(of('checked', true), boundaries));
    expect(await database.explain(() => stats.buckets(run, boundaries))).toHaveLength(counted.length - 1);
  });

  it('are none where the run is of another crawl', async () => {
    expect(await stats.buckets(of('another', false), boundaries)).toMatchObject({
      screenshotMatch: [{ count: 0 }, { count: 0 }, { count: 0 }, { from: null, count: 6 }],
    });
  });
});

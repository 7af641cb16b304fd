import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { countTotal } from '../../database/counts/count-total.js';
import { OrgScoped } from '../../database/org-scoped.js';
import { LARGE, Remembered } from '../../database/counts/remembered.js';
import { ERRORS, FILES, Page, QA_VALUES, type StoredPageQa } from '../../pages/data/page.schema.js';

type QaMeasure = Exclude<keyof StoredPageQa, 'resourceCounts'>;

export interface Bucket {
  /** Lower boundary; null for pages without a score. */
  readonly from: number | null;
  readonly count: number;
}

interface QaRunOf {
  readonly oid: string;
  readonly crawlId: string;
  readonly qaRunId: string;
  /** Whether the run belongs to this crawl, so that no other crawl has its values. */
  readonly isOwn: boolean;
  /** The crawl's pages, where their number is known; null to count them. */
  readonly pages: number | null;
}

type LeftOut = Pick<Page, 'qa'>;
type Buckets = Record<QaMeasure, Bucket[]>;

const pagesIn = (buckets: readonly Bucket[]): number => buckets.reduce((sum, { count }) => sum + count, 0);

/** Counts a crawl's pages by their scores in one QA run, in ranges of an index, less the excluded pages. */
@Injectable()
export class QaStatsQueries {
  private readonly pages: OrgScoped<Page>;
  private readonly remembered = new Remembered<Buckets>({
    isLarge: ({ textMatch }) => pagesIn(textMatch) >= LARGE,
    mostKept: 100,
  });

  constructor(@InjectModel(Page.name) private readonly model: Model<Page>) {
    this.pages = new OrgScoped(model);
  }

  /**
   * Those of many pages may be ten seconds old.
   * @param boundaries of each measure, ascending; the last one closes the last bucket
   */
  buckets(run: QaRunOf, boundaries: Readonly<Record<QaMeasure, readonly number[]>>): Promise<Buckets> {
    return this.remembered.of(JSON.stringify([run, boundaries]), () => this.count(run, boundaries));
  }

  private async count(run: QaRunOf, boundaries: Readonly<Record<QaMeasure, readonly number[]>>): Promise<Buckets> {
    const [all, leftOut] = await Promise.all([run.pages ?? this.pagesOf(run), this.leftOut(run)]);
    const of = async (measure: QaMeasure): Promise<Bucket[]> => {
      const found = await this.scored(run, measure, boundaries[measure], leftOut);
      return [...found, { from: null, count: all - leftOut.length - pagesIn(found) }];
    };
    const [screenshotMatch, textMatch] = await Promise.all([of('screenshotMatch'), of('textMatch')]);
    return { screenshotMatch, textMatch };
  }

  private pagesOf({ oid, crawlId }: QaRunOf): Promise<number> {
    return this.pages.total(oid, { crawl_id: crawlId }, { hint: { oid: 1, crawl_id: 1, depth: 1, _id: 1 } });
  }

  private async scored(
    { oid, crawlId, qaRunId, isOwn }: QaRunOf,
    measure: QaMeasure,
    boundaries: readonly number[],
    leftOut: readonly LeftOut[],
  ): Promise<Bucket[]> {
    const others = leftOut.map(({ qa }) => qa?.[qaRunId]?.[measure]);
    const buckets: Bucket[] = [];
    for (const [n, from] of boundaries.slice(0, -1).entries()) {
      const to = boundaries[n + 1] ?? Infinity;
      const range = { [`qa.${qaRunId}.${measure}`]: { $gte: from, $lt: to } };
      const inRange = others.filter((score) => typeof score === 'number' && score >= from && score < to);
      // For the crawl's own run the index alone gives the count.
      const count = isOwn
        ? await countTotal(this.model, range, { hint: QA_VALUES })
        : await this.pages.total(oid, { crawl_id: crawlId, ...range }, { hint: QA_VALUES });
      buckets.push({ from, count: count - inRange.length });
    }
    return buckets;
  }

  /** Reads both scores of all the crawl's file pages and failed pages, because these are few. */
  private async leftOut({ oid, crawlId, qaRunId }: QaRunOf): Promise<LeftOut[]> {
    const path = `qa.${qaRunId}`;
    const projection = { _id: 0, [`${path}.screenshotMatch`]: 1, [`${path}.textMatch`]: 1 } as const;
    const read = (filter: object, hint: typeof FILES | typeof ERRORS): Promise<LeftOut[]> =>
      this.pages.find(oid, { crawl_id: crawlId, ...filter }, { projection, hint, limit: 0, batchSize: 5_000 });
    const found = await Promise.all([
      read({ isFile: true }, FILES),
      read({ isError: true, isFile: { $ne: true } }, ERRORS),
    ]);
    return found.flat();
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import { Page } from '../../pages/data/page.schema.js';

export interface Bucket {
  /** Lower boundary, or null for pages without a score. */
  readonly from: number | null;
  readonly count: number;
}

/** Counts a crawl's pages by their scores in one QA run. */
@Injectable()
export class QaStatsQueries {
  private readonly pages: OrgScoped<Page>;

  constructor(@InjectModel(Page.name) model: Model<Page>) {
    this.pages = new OrgScoped(model);
  }

  /** @param boundaries ascending; the last one closes the last bucket */
  async buckets(
    oid: string,
    run: { crawlId: string; qaRunId: string },
    key: 'screenshotMatch' | 'textMatch',
    boundaries: readonly number[],
  ): Promise<Bucket[]> {
    const score = `$qa.${run.qaRunId}.${key}`;
    const rows = await this.pages.aggregate<{ _id: number | 'none'; count: number }>(oid, [
      { $match: { crawl_id: run.crawlId, isFile: { $ne: true }, isError: { $ne: true } } },
      {
        $bucket: {
          groupBy: { $cond: [{ $isNumber: score }, score, -1] },
          boundaries: [...boundaries],
          default: 'none',
          output: { count: { $sum: 1 } },
        },
      },
    ]);
    return rows.map(({ _id, count }) => ({ from: _id === 'none' ? null : _id, count }));
  }
}

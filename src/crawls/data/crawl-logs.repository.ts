import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { isDuplicateKey, OrgScoped } from '../../database/org-scoped.js';
import { CrawlLog } from './crawl-log.schema.js';

/** Which lines of a crawl a list shows. */
export type LogKind = 'errors' | 'behaviors';

const FILTERS = {
  errors: { logLevel: { $in: ['error', 'fatal'] } },
  behaviors: { context: { $in: ['behavior', 'behaviorScript', 'behaviorScriptCustom'] } },
};

export interface LogSort {
  readonly field: string;
  readonly direction: SortDirection;
}

@Injectable()
export class CrawlLogsRepository {
  private readonly logs: OrgScoped<CrawlLog>;

  constructor(@InjectModel(CrawlLog.name) private readonly model: Model<CrawlLog>) {
    this.logs = new OrgScoped(model);
  }

  /** Lines whose id is already stored are left as they are. */
  async insertNew(lines: readonly CrawlLog[]): Promise<void> {
    if (lines.length === 0) return;
    try {
      await this.model.insertMany([...lines], { ordered: false });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** Lines of the crawl itself, not of its QA runs. */
  async list(
    oid: string,
    crawlId: string,
    kind: LogKind,
    at: { bounds: PageBounds; sort: LogSort },
  ): Promise<CrawlLog[]> {
    const { field, direction } = at.sort;
    const filter = { crawlId, qaRunId: null, ...FILTERS[kind] };
    return this.logs.find(oid, filter, { ...at.bounds, sort: { [field]: direction } });
  }

  async count(oid: string, crawlId: string, kind: LogKind): Promise<number> {
    return this.logs.count(oid, { crawlId, qaRunId: null, ...FILTERS[kind] });
  }

  /** All lines of a crawl, those of its QA runs too. */
  async deleteOf(oid: string, crawlId: string): Promise<number> {
    return this.logs.deleteMany(oid, { crawlId });
  }

  async deleteOfQaRun(oid: string, crawlId: string, qaRunId: string): Promise<number> {
    return this.logs.deleteMany(oid, { crawlId, qaRunId });
  }
}

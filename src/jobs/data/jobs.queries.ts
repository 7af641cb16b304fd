import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { pageBounds, type PageQuery, type SortDirection } from '../../common/pagination/page.js';
import { decode } from '../../database/uuid-codec.js';
import { Job } from './job.schema.js';
import type { JobScope } from './jobs.repository.js';

/** Lists of jobs. An index serves the page, and an index serves the count. */
@Injectable()
export class JobsQueries {
  constructor(@InjectModel(Job.name) private readonly jobs: Model<Job>) {}

  async list(
    scope: JobScope,
    filter: { success?: boolean | null; type?: string | null },
    sort: { field: string; direction: SortDirection } | null,
    page: PageQuery,
  ): Promise<{ rows: Job[]; total: number }> {
    const match = {
      ...(scope === 'all-orgs' ? {} : { oid: scope.oid }),
      ...(typeof filter.success === 'boolean' ? { success: filter.success } : {}),
      ...(filter.type ? { type: filter.type } : {}),
    } as QueryFilter<Job>;
    const { field, direction } = sort ?? { field: 'started', direction: 1 };
    const order: Record<string, SortDirection> = { [field]: direction };
    if (field === 'success' || field === 'type') order['started'] = direction;
    const { skip, limit } = pageBounds(page);
    const [rows, total] = await Promise.all([
      this.jobs
        .find(match, { plan: 0, logs: 0 })
        .sort({ ...order, _id: direction })
        .skip(skip)
        .limit(limit)
        .lean()
        .exec(),
      this.jobs.countDocuments(match).exec(),
    ]);
    return { rows: decode(rows as Job[]), total };
  }
}

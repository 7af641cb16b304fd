import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { IGNORE_CASE_AND_ACCENTS, OrgScoped, type Collation } from '../../database/org-scoped.js';
import { tagCounts, type TagCount } from '../../database/tag-counts.js';
import { uuids } from '../../database/uuid-codec.js';
import { Workflow } from './workflow.schema.js';

export const WORKFLOW_SORTS = [
  'created',
  'modified',
  'firstSeed',
  'lastCrawlTime',
  'lastCrawlStartTime',
  'lastRun',
  'name',
] as const;
export type WorkflowSort = (typeof WORKFLOW_SORTS)[number];

export interface WorkflowFilter {
  readonly createdBy?: string | null;
  readonly modifiedBy?: string | null;
  readonly profileIds?: readonly string[] | null;
  readonly firstSeed?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly tags?: readonly string[] | null;
  /** All of the tags instead of any. */
  readonly needsAllTags?: boolean;
  readonly dedupeCollId?: string | null;
  readonly lastCrawlState?: readonly string[] | null;
  readonly hasSchedule?: boolean | null;
  readonly isCrawlRunning?: boolean | null;
}

export type ListedWorkflow = Omit<Workflow, 'config' | 'countedEvents' | 'pendingFiring' | 'skippedFiring'>;

/** Not deleted; spelled as equality to both stored forms, so that an index keeps its order behind it. */
const ACTIVE = { inactive: { $in: [false, null] } };
const NOT_LISTED = { config: 0, countedEvents: 0, pendingFiring: 0, skippedFiring: 0 } as const;

function conditions(filter: WorkflowFilter): QueryFilter<Workflow> {
  const { profileIds, tags, lastCrawlState, hasSchedule, isCrawlRunning } = filter;
  const conditions: Record<string, unknown> = { ...ACTIVE };
  for (const field of ['createdBy', 'modifiedBy', 'firstSeed', 'name', 'description', 'dedupeCollId'] as const)
    if (filter[field]) conditions[field] = filter[field];
  if (profileIds?.length) conditions['profileid'] = { $in: [...profileIds] };
  if (tags?.length) conditions['tags'] = filter.needsAllTags ? { $all: [...tags] } : { $in: [...tags] };
  if (lastCrawlState?.length) conditions['lastCrawlState'] = { $in: [...lastCrawlState] };
  if (typeof hasSchedule === 'boolean') conditions['schedule'] = { [hasSchedule ? '$nin' : '$in']: ['', null] };
  if (typeof isCrawlRunning === 'boolean')
    conditions['isCrawlRunning'] = isCrawlRunning ? true : { $in: [false, null] };
  return conditions as QueryFilter<Workflow>;
}

/**
 * Nothing was asked for: as stored, oldest first, which is how an index keeps documents that are equal to it. Sorting by
 * `created` would mix those of one second.
 */
const NATURAL_ORDER = { hint: { oid: 'hashed', inactive: 1 } } as const;

function sortKeys(sort: { field: WorkflowSort; direction: SortDirection }): Record<string, SortDirection> {
  const { field, direction } = sort;
  if (field === 'name') return { name: direction, firstSeed: direction, _id: direction };
  const isLastCrawl = field === 'lastRun' || field === 'lastCrawlTime' || field === 'lastCrawlStartTime';
  return isLastCrawl
    ? { isCrawlRunning: direction, [field]: direction, modified: direction, _id: direction }
    : { [field]: direction, _id: direction };
}

/** Comparing text ignores case and accents; other queries do without, so that every index can serve them. */
function collationOf(filter: WorkflowFilter, sort: { field: WorkflowSort } | null): Collation | undefined {
  const comparesText =
    filter.firstSeed ?? filter.name ?? filter.description ?? (filter.tags?.length ? filter.tags : undefined);
  const sortsText = sort?.field === 'name' || sort?.field === 'firstSeed';
  return comparesText || sortsText ? IGNORE_CASE_AND_ACCENTS : undefined;
}

/** Lists and value sets of an org's workflows. */
@Injectable()
export class WorkflowsQueries {
  private readonly workflows: OrgScoped<Workflow>;

  constructor(@InjectModel(Workflow.name) model: Model<Workflow>) {
    this.workflows = new OrgScoped(model);
  }

  async list(
    oid: string,
    filter: WorkflowFilter,
    sort: { field: WorkflowSort; direction: SortDirection } | null,
    bounds: PageBounds,
  ): Promise<{ total: number; items: ListedWorkflow[] }> {
    const collation = collationOf(filter, sort);
    const where = conditions(filter);
    const order = sort ? { sort: sortKeys(sort) } : NATURAL_ORDER;
    const [items, total] = await Promise.all([
      this.workflows.find(oid, where, { ...bounds, ...order, projection: NOT_LISTED, collation }),
      this.workflows.count(oid, where, { collation }),
    ]);
    return { total, items };
  }

  /** Tags of active and deactivated workflows. */
  async tagCounts(oid: string): Promise<TagCount[]> {
    return tagCounts(this.workflows, oid, { tags: { $type: 'string' } });
  }

  /** Distinct texts, without empty ones, and the ids. */
  async searchValues(
    oid: string,
    profileIds: readonly string[] | null | undefined,
  ): Promise<{ names: string[]; descriptions: string[]; firstSeeds: string[]; workflowIds: string[] }> {
    const match: PipelineStage.Match['$match'] = { ...ACTIVE };
    if (profileIds?.length) match['profileid'] = { $in: uuids(profileIds) };
    const [found] = await this.workflows.aggregate<{
      names: string[];
      descriptions: string[];
      firstSeeds: string[];
      workflowIds: string[];
    }>(oid, [
      { $match: match },
      {
        $group: {
          _id: null,
          names: { $addToSet: '$name' },
          descriptions: { $addToSet: '$description' },
          firstSeeds: { $addToSet: '$firstSeed' },
          workflowIds: { $push: '$_id' },
        },
      },
    ]);
    const texts = (values: (string | null)[] | undefined): string[] =>
      (values ?? []).filter((value): value is string => !!value).sort();
    return {
      names: texts(found?.names),
      descriptions: texts(found?.descriptions),
      firstSeeds: texts(found?.firstSeeds),
      workflowIds: found?.workflowIds ?? [],
    };
  }
}

import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import { pageAndTotal, reversedOrder } from '../../common/pagination/nearer-end.js';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { betterHint, type IndexKeys, type ListHints } from '../../database/list-hint.js';
import { IGNORE_CASE_AND_ACCENTS, OrgScoped } from '../../database/org-scoped.js';
import { tagCounts, type CountedTag } from '../../database/counts/tag-counts.js';
import { uuids } from '../../database/uuid-codec.js';
import { orderIndex, Workflow, WORKFLOW_ORDERS, type WorkflowSort } from './workflow.schema.js';

type Hint = IndexKeys | string;

export interface WorkflowFilter {
  readonly createdBy?: string | null;
  readonly modifiedBy?: string | null;
  readonly profileIds?: readonly string[] | null;
  readonly firstSeed?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly tags?: readonly string[] | null;
  /** Whether a workflow has to have all of `tags` instead of any. */
  readonly needsAllTags?: boolean;
  readonly dedupeCollId?: string | null;
  readonly lastCrawlState?: readonly string[] | null;
  readonly hasSchedule?: boolean | null;
  readonly isCrawlRunning?: boolean | null;
}

export type ListedWorkflow = Omit<Workflow, 'config' | 'countedEvents' | 'pendingFiring' | 'skippedFiring'>;

/**
 * Finds workflows that are not deleted. The filter names both stored forms, so that an index keeps its order behind
 * them.
 */
const ACTIVE = { inactive: { $in: [false, null] } };
/** Texts are compared without regard to case and accents, in filters and orders. Other values are not affected. */
const COLLATED = { collation: IGNORE_CASE_AND_ACCENTS } as const;
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
 * The order when none is asked for: as stored, oldest first. This index keeps equal documents in that order. A sort by
 * `created` would mix documents of one second.
 */
const NATURAL_ORDER = { hint: { oid: 'hashed', inactive: 1 } } as const;

export interface WorkflowListSort {
  readonly field: WorkflowSort;
  readonly direction: SortDirection;
}

/**
 * Returns the sort keys without leading ones that the filter makes equal in all matches. Behind the two forms of
 * `inactive`, MongoDB merges its scans only by the keys that follow, and would otherwise sort all matches.
 */
function sortKeys({ field, direction }: WorkflowListSort, filter: WorkflowFilter): Record<string, SortDirection> {
  const pinned: string[] = [
    ...(filter.name ? ['name'] : []),
    ...(filter.firstSeed ? ['firstSeed'] : []),
    ...(typeof filter.isCrawlRunning === 'boolean' ? ['isCrawlRunning'] : []),
  ];
  const keys: string[] = [...WORKFLOW_ORDERS[field]];
  while (keys[0] !== undefined && pinned.includes(keys[0])) keys.shift();
  return Object.fromEntries([...keys, '_id'].map((key) => [key, direction]));
}

/** Returns the index of the filter that leaves the fewest workflows, if there is one. */
function filterIndex(filter: WorkflowFilter): Hint | undefined {
  if (filter.name) return { oid: 1, name: 1 };
  if (filter.firstSeed) return { oid: 1, firstSeed: 1 };
  if (filter.tags?.length) return { oid: 1, tags: 1 };
  if (filter.profileIds?.length) return { oid: 1, inactive: 1, profileid: 1 };
  if (filter.isCrawlRunning) return orderIndex('lastRun');
  if (filter.createdBy) return { createdBy: 1 };
  return filter.modifiedBy ? { modifiedBy: 1 } : undefined;
}

/** Finds lists and distinct values of an org's workflows. */
@Injectable()
export class WorkflowsQueries {
  private readonly workflows: OrgScoped<Workflow>;

  constructor(@InjectModel(Workflow.name) model: Model<Workflow>) {
    this.workflows = new OrgScoped(model);
  }

  async list(
    oid: string,
    filter: WorkflowFilter,
    sort: WorkflowListSort | null,
    bounds: PageBounds,
  ): Promise<{ total: number; items: ListedWorkflow[] }> {
    const count = () => this.workflows.count(oid, conditions(filter), COLLATED);
    if (sort)
      return pageAndTotal(bounds, count, (at, isReversed) => this.sorted(oid, filter, { sort, at, isReversed }));
    const options = { ...bounds, ...NATURAL_ORDER, ...COLLATED, projection: NOT_LISTED };
    const [items, total] = await Promise.all([this.workflows.find(oid, conditions(filter), options), count()]);
    return { total, items };
  }

  private async sorted(
    oid: string,
    filter: WorkflowFilter,
    { sort, at, isReversed }: { sort: WorkflowListSort; at: PageBounds; isReversed: boolean },
  ): Promise<ListedWorkflow[]> {
    const where = conditions(filter);
    const hints: ListHints<Hint> = { byFilter: filterIndex(filter), byOrder: orderIndex(sort.field) };
    const hint = await betterHint(hints, (options) => this.workflows.count(oid, where, { ...options, ...COLLATED }));
    const keys = sortKeys(sort, filter);
    const order = { sort: isReversed ? reversedOrder(keys) : keys, ...(hint ? { hint } : {}) };
    return this.workflows.find(oid, where, { ...at, ...order, ...COLLATED, projection: NOT_LISTED });
  }

  /** Counts the tags of active and deactivated workflows. */
  async tagCounts(oid: string): Promise<CountedTag[]> {
    return tagCounts(this.workflows, oid, { tags: { $type: 'string' } });
  }

  /** Returns the distinct texts of active workflows, without empty ones, and the workflows' ids. */
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

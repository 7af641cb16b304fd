import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { IGNORE_CASE_AND_ACCENTS, OrgScoped } from '../../database/org-scoped.js';
import { tagCounts, type CountedTag } from '../../database/counts/tag-counts.js';
import { BrowserProfile, orderIndex } from './browser-profile.schema.js';

export const PROFILE_SORTS = ['modified', 'created', 'name', 'url'] as const;

export interface ProfileFilter {
  /** Id of the creator. */
  readonly userId?: string | null;
  readonly name?: string | null;
  readonly tags?: readonly string[] | null;
  readonly needsAllTags: boolean;
}

/** The URL of a profile is its first origin. */
const storedField = (field: string): string => (field === 'url' ? 'origins.0' : field);

/** Lists and sets of values of an org's profiles. */
@Injectable()
export class ProfilesQueries {
  private readonly profiles: OrgScoped<BrowserProfile>;

  constructor(@InjectModel(BrowserProfile.name) model: Model<BrowserProfile>) {
    this.profiles = new OrgScoped(model);
  }

  async list(
    oid: string,
    { userId, name, tags, needsAllTags }: ProfileFilter,
    sort: { field: string; direction: SortDirection } | null,
    bounds: PageBounds,
  ): Promise<{ total: number; items: BrowserProfile[] }> {
    const where: Record<string, unknown> = {};
    if (userId) where['userid'] = userId;
    if (name) where['name'] = name;
    if (tags?.length) where['tags'] = needsAllTags ? { $all: [...tags] } : { $in: [...tags] };
    const filter = where as QueryFilter<BrowserProfile>;
    const [field, direction] = sort ? [storedField(sort.field), sort.direction] : ['created', 1 as const];
    const by = { [field]: direction, _id: direction };
    const collation = IGNORE_CASE_AND_ACCENTS;
    const [items, total] = await Promise.all([
      this.profiles.find(oid, filter, { ...bounds, sort: by, collation, hint: orderIndex(field) }),
      this.profiles.count(oid, filter, { collation }),
    ]);
    return { total, items };
  }

  async tagCounts(oid: string): Promise<CountedTag[]> {
    return tagCounts(this.profiles, oid);
  }

  /** Distinct names in the order of the list by name. */
  async names(oid: string): Promise<string[]> {
    const stages: PipelineStage[] = [{ $sort: { name: 1, _id: 1 } }, { $project: { _id: 0, name: 1 } }];
    const options = { collation: IGNORE_CASE_AND_ACCENTS, hint: orderIndex('name') };
    const found = await this.profiles.aggregate<{ name: string | null }>(oid, stages, options);
    return [...new Set(found.flatMap(({ name }) => (name ? [name] : [])))];
  }

  /** Bytes of all profile files. */
  async totalSize(oid: string): Promise<number> {
    const [sum] = await this.profiles.aggregate<{ bytes: number }>(oid, [
      { $group: { _id: null, bytes: { $sum: '$resource.size' } } },
    ]);
    return sum?.bytes ?? 0;
  }
}

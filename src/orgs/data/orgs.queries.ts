import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import { fromNearerEnd } from '../../common/pagination/nearer-end.js';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { inOrderOf } from '../../common/objects/in-order.js';
import { aggregateRows } from '../../database/read-rows.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import { Org } from './org.schema.js';

/**
 * The orgs that a list shows: all of them, or those where this user has a role; `only` this one of them; `lenient` those
 * that want no second factor.
 */
export type OrgsOf = ({ readonly everyOrg: true } | { readonly userId: string }) & {
  readonly only?: string | null;
  readonly lenient?: boolean;
};

export interface OrgSort {
  readonly field: 'name' | 'slug' | 'readOnly' | 'lastCrawlFinished' | 'subscription.status' | 'subscription.planId';
  readonly direction: SortDirection;
}

/** The fields that lists of a user's orgs show. */
export type OrgSummary = Pick<
  Org,
  '_id' | 'name' | 'slug' | 'default' | 'users' | 'readOnly' | 'readOnlyReason' | 'subscription'
>;

const SUMMARY = { name: 1, slug: 1, default: 1, users: 1, readOnly: 1, readOnlyReason: 1, subscription: 1 } as const;
const VIEWER = 10;

const filterOf = (of: OrgsOf): Record<string, unknown> => ({
  ...('userId' in of ? { [`users.${of.userId}`]: { $gte: VIEWER } } : {}),
  ...(of.only ? { _id: uuid(of.only) } : {}),
  ...(of.lenient ? { secondFactorDemanded: { $ne: true } } : {}),
});
/** Whether the list has a filter. */
const isFiltered = (of: OrgsOf): boolean => 'userId' in of || Boolean(of.only ?? of.lenient);

/** One org is the default. A database of another version may have left more. */
const MAX_DEFAULTS = 100;
const BY_NAME = { nameLower: 1, _id: 1 } as const;
/** Finds all orgs but these. The bound on the name lets the index answer alone. */
const allBut = (orgs: readonly { _id: unknown }[]) =>
  ({ nameLower: { $gte: '' }, _id: { $nin: orgs.map(({ _id }) => _id) } }) as QueryFilter<Org>;
/** Orders by name. Names differ in lower case too, so the id decides nothing. */
const inOrder = (direction: number) => ({ nameLower: direction, _id: direction }) as Record<string, SortDirection>;

/**
 * Returns stages that put the default org first. Then they sort by the chosen field, or by creation without one, and
 * last by id. Names are compared without regard to case.
 */
function sortStages(sort: OrgSort | null): PipelineStage[] {
  const key = sort?.field === 'name' ? { $toLower: '$name' } : `$${sort?.field ?? 'created'}`;
  const by: Record<string, SortDirection> = { isDefault: -1, key: sort?.direction ?? 1, _id: 1 };
  return [{ $project: { isDefault: { $ifNull: ['$default', false] }, key } }, { $sort: by }];
}

@Injectable()
export class OrgsQueries {
  constructor(@InjectModel(Org.name) private readonly orgs: Model<Org>) {}

  /** Returns a page of orgs. It finds the page's ids first, so that sorting and skipping do not hold whole orgs. */
  async list(of: OrgsOf, sort: OrgSort | null, bounds: PageBounds): Promise<Org[]> {
    const isByStoredName = !isFiltered(of) && sort?.field === 'name' && (await this.namesAreFilled());
    const rows = isByStoredName ? await this.byName(sort.direction, bounds) : await this.sorted(of, sort, bounds);
    const ids = (decode(rows) as { _id: string }[]).map(({ _id }) => _id);
    const found = decode(
      (await this.orgs
        .find({ _id: { $in: ids } })
        .limit(ids.length)
        .lean()
        .exec()) as Org[],
    );
    return inOrderOf(ids, found);
  }

  private async sorted(of: OrgsOf, sort: OrgSort | null, { skip, limit }: PageBounds): Promise<{ _id: unknown }[]> {
    const page = [{ $skip: skip }, { $limit: limit }, { $project: { _id: 1 } }];
    return this.orgs.aggregate<{ _id: unknown }>([{ $match: filterOf(of) }, ...sortStages(sort), ...page]).exec();
  }

  /**
   * Whether every org has the name by which lists are ordered. Another version, or the startup of this one, may still
   * leave some without.
   */
  private async namesAreFilled(): Promise<boolean> {
    return (await this.orgs.exists({ nameLower: null } as QueryFilter<Org>).exec()) === null;
  }

  /** Returns the default org, then the others along the index of names, read from the nearer end. */
  private async byName(direction: SortDirection, { skip, limit }: PageBounds): Promise<{ _id: unknown }[]> {
    const [defaults, all] = await Promise.all([
      this.orgs.find({ default: true }, { _id: 1 }).sort(inOrder(direction)).limit(MAX_DEFAULTS).lean().exec(),
      this.orgs.estimatedDocumentCount().exec(),
    ]);
    const first = defaults.slice(skip, skip + limit);
    if (first.length === limit) return first;
    const rest = { skip: Math.max(0, skip - defaults.length), limit: limit - first.length };
    const bounds = fromNearerEnd(all - defaults.length, rest);
    if (!bounds) return first;
    const walked = bounds.isReversed ? -direction : direction;
    const others = await this.orgs
      .find(allBut(defaults), { _id: 1 }, { skip: bounds.skip, limit: bounds.limit })
      .sort(inOrder(walked))
      .hint(BY_NAME)
      .lean()
      .exec();
    return [...first, ...(bounds.isReversed ? others.reverse() : others)];
  }

  async count(of: OrgsOf): Promise<number> {
    return isFiltered(of) ? this.orgs.countDocuments(filterOf(of)).exec() : this.orgs.estimatedDocumentCount().exec();
  }

  /**
   * Returns a user's orgs: the default org first, the others by name without regard to case. A member sees only their
   * own role in `users`.
   */
  async summaries(of: OrgsOf, limit: number): Promise<OrgSummary[]> {
    const { users: _hidden, ...others } = SUMMARY;
    const fields = 'userId' in of ? { ...others, [`users.${of.userId}`]: 1 } : others;
    const stages: PipelineStage[] = [
      { $match: filterOf(of) },
      { $project: { ...fields, isDefault: { $ifNull: ['$default', false] }, key: { $toLower: '$name' } } },
      { $sort: { isDefault: -1, key: 1, _id: 1 } },
      { $limit: limit },
      { $project: { isDefault: 0, key: 0 } },
    ];
    return aggregateRows<OrgSummary, Org>(this.orgs, stages, { atMost: limit });
  }

  /** Returns the orgs of several users at once, for the superuser's list of accounts. */
  async summariesOfUsers(userIds: readonly string[]): Promise<OrgSummary[]> {
    if (userIds.length === 0) return [];
    const filter = { $or: userIds.map((id) => ({ [`users.${id}`]: { $gte: VIEWER } })) };
    return decode((await this.orgs.find(filter, SUMMARY).lean().exec()) as OrgSummary[]);
  }

  async slugs(): Promise<{ _id: string; slug: string }[]> {
    return decode((await this.orgs.find({}, { slug: 1 }).lean().exec()) as { _id: string; slug: string }[]);
  }

  /** Whether an org of a user wants a second factor of its members. */
  async anyDemandsFactor(userId: string): Promise<boolean> {
    const filter = { ...filterOf({ userId }), secondFactorDemanded: true };
    return (await this.orgs.exists(filter as QueryFilter<Org>).exec()) !== null;
  }

  /** Whether any org wants a second factor, for superusers, who belong to all. */
  async someDemandsFactor(): Promise<boolean> {
    return (await this.orgs.exists({ secondFactorDemanded: true } as QueryFilter<Org>).exec()) !== null;
  }

  /** Counts the orgs whose stored flag is true. */
  async countWithFlag(flag: string): Promise<number> {
    return this.orgs.countDocuments({ [`featureFlags.${flag}`]: true }).exec();
  }
}

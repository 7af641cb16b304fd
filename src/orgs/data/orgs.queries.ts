import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { decode } from '../../database/uuid-codec.js';
import { Org } from './org.schema.js';

/** Orgs a list shows: all, or those where this user has a role. */
export type OrgsOf = { readonly everyOrg: true } | { readonly userId: string };

export interface OrgSort {
  readonly field: 'name' | 'slug' | 'readOnly' | 'lastCrawlFinished' | 'subscription.status' | 'subscription.planId';
  readonly direction: SortDirection;
}

/** What lists of a user's orgs show. */
export type OrgSummary = Pick<
  Org,
  '_id' | 'name' | 'slug' | 'default' | 'users' | 'readOnly' | 'readOnlyReason' | 'subscription'
>;

const SUMMARY = { name: 1, slug: 1, default: 1, users: 1, readOnly: 1, readOnlyReason: 1, subscription: 1 } as const;
const VIEWER = 10;

const filterOf = (of: OrgsOf): Record<string, unknown> =>
  'userId' in of ? { [`users.${of.userId}`]: { $gte: VIEWER } } : {};

/** Default org first, then the chosen field (names without regard to case), then the id. */
function sortStages(sort: OrgSort | null): PipelineStage[] {
  const key = sort?.field === 'name' ? { $toLower: '$name' } : sort ? `$${sort.field}` : null;
  const sortBy = { isDefault: -1, ...(sort ? { key: sort.direction } : {}), _id: 1 } as Record<string, 1 | -1>;
  return [{ $project: { isDefault: { $ifNull: ['$default', false] }, ...(key ? { key } : {}) } }, { $sort: sortBy }];
}

@Injectable()
export class OrgsQueries {
  constructor(@InjectModel(Org.name) private readonly orgs: Model<Org>) {}

  /** Sorts slim rows first and then fetches the page, so that the sort never holds whole orgs. */
  async list(of: OrgsOf, sort: OrgSort | null, { skip, limit }: PageBounds): Promise<Org[]> {
    const rows = await this.orgs
      .aggregate<{ _id: unknown }>([
        { $match: filterOf(of) },
        ...sortStages(sort),
        { $skip: skip },
        { $limit: limit },
        { $project: { _id: 1 } },
      ])
      .exec();
    const ids = (decode(rows) as { _id: string }[]).map(({ _id }) => _id);
    const found = decode(
      (await this.orgs
        .find({ _id: { $in: ids } })
        .limit(limit)
        .lean()
        .exec()) as Org[],
    );
    const byId = new Map(found.map((org) => [org._id, org]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  async count(of: OrgsOf): Promise<number> {
    return 'userId' in of ? this.orgs.countDocuments(filterOf(of)).exec() : this.orgs.estimatedDocumentCount().exec();
  }

  /** A user's orgs: default first, then by name without regard to case. A member sees only the own role in `users`. */
  async summaries(of: OrgsOf, limit: number): Promise<OrgSummary[]> {
    const { users: _hidden, ...others } = SUMMARY;
    const fields = 'userId' in of ? { ...others, [`users.${of.userId}`]: 1 } : others;
    const found = await this.orgs
      .aggregate<OrgSummary>([
        { $match: filterOf(of) },
        { $project: { ...fields, isDefault: { $ifNull: ['$default', false] }, key: { $toLower: '$name' } } },
        { $sort: { isDefault: -1, key: 1, _id: 1 } },
        { $limit: limit },
        { $project: { isDefault: 0, key: 0 } },
      ])
      .exec();
    return decode(found);
  }

  /** Orgs of several users at once, for the superuser's list of accounts. */
  async summariesOfUsers(userIds: readonly string[]): Promise<OrgSummary[]> {
    if (userIds.length === 0) return [];
    const filter = { $or: userIds.map((id) => ({ [`users.${id}`]: { $gte: VIEWER } })) };
    return decode((await this.orgs.find(filter, SUMMARY).lean().exec()) as OrgSummary[]);
  }

  async slugs(): Promise<{ _id: string; slug: string }[]> {
    return decode((await this.orgs.find({}, { slug: 1 }).lean().exec()) as { _id: string; slug: string }[]);
  }

  /** Orgs whose stored flag is true. */
  async countWithFlag(flag: string): Promise<number> {
    return this.orgs.countDocuments({ [`featureFlags.${flag}`]: true }).exec();
  }
}

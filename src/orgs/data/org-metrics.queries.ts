import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { uuid } from '../../database/uuid-codec.js';
import { RUNNING, SUCCESSFUL, WAITING } from '../../items/data/item-state.facts.js';

export interface ItemCounts {
  readonly type: 'crawl' | 'upload';
  /** Number of successful items; `pageCount` is the number of their pages. */
  readonly count: number;
  readonly pageCount: number;
  readonly running: number;
  readonly waiting: number;
}

/** Deleted items whose files stay because others need them. */
export interface KeptCounts {
  readonly count: number;
  readonly bytes: number;
}

export interface OrgCounts {
  readonly items: readonly ItemCounts[];
  readonly profileCount: number;
  readonly collectionsCount: number;
  readonly publicCollectionsCount: number;
  readonly kept: KeptCounts;
}

const countIf = (states: readonly string[]) => ({ $sum: { $cond: [{ $in: ['$state', [...states]] }, 1, 0] } });

/** Counts documents in MongoDB collections of other rooms, directly through the connection. */
@Injectable()
export class OrgMetricsQueries {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async counts(oid: string): Promise<OrgCounts> {
    const org = uuid(oid);
    const count = (collection: string, filter: object): Promise<number> =>
      this.connection.collection(collection).countDocuments({ ...filter, oid: org });
    const [items, profileCount, collectionsCount, publicCollectionsCount, kept] = await Promise.all([
      this.items(oid),
      count('profiles', {}),
      count('collections', {}),
      count('collections', { access: { $in: ['public', 'unlisted'] } }),
      this.kept(oid),
    ]);
    return { items, profileCount, collectionsCount, publicCollectionsCount, kept };
  }

  private async kept(oid: string): Promise<KeptCounts> {
    const [sum] = await this.connection
      .collection('retained_items')
      .aggregate<KeptCounts>([
        { $match: { oid: uuid(oid), takenDownAt: null } },
        { $group: { _id: null, count: { $sum: 1 }, bytes: { $sum: '$fileSize' } } },
      ])
      .toArray();
    return sum ?? { count: 0, bytes: 0 };
  }

  private async items(oid: string): Promise<ItemCounts[]> {
    const isSuccessful = { $in: ['$state', [...SUCCESSFUL]] };
    return this.connection
      .collection('crawls')
      .aggregate<ItemCounts>([
        { $match: { oid: uuid(oid), state: { $in: [...SUCCESSFUL, ...RUNNING, ...WAITING] } } },
        {
          $group: {
            _id: '$type',
            count: countIf(SUCCESSFUL),
            pageCount: { $sum: { $cond: [isSuccessful, { $ifNull: ['$pageCount', 0] }, 0] } },
            running: countIf(RUNNING),
            waiting: countIf(WAITING),
          },
        },
        { $project: { _id: 0, type: '$_id', count: 1, pageCount: 1, running: 1, waiting: 1 } },
      ])
      .toArray();
  }
}

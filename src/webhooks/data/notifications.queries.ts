import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { pageBounds, type PageQuery, type SortDirection } from '../../common/pagination/page.js';
import { OrgScoped } from '../../database/org-scoped.js';
import { Notification } from './notification.schema.js';

export interface NotificationFilter {
  readonly success?: boolean | null;
  readonly event?: string | null;
}

/** Lists of notifications: an indexed page beside an indexed count. */
@Injectable()
export class NotificationsQueries {
  private readonly scoped: OrgScoped<Notification>;

  constructor(@InjectModel(Notification.name) model: Model<Notification>) {
    this.scoped = new OrgScoped(model);
  }

  async list(
    oid: string,
    filter: NotificationFilter,
    sort: { field: string; direction: SortDirection } | null,
    page: PageQuery,
  ): Promise<{ rows: Notification[]; total: number }> {
    const match = {
      ...(typeof filter.success === 'boolean' ? { success: filter.success } : {}),
      ...(filter.event ? { event: filter.event } : {}),
    };
    const [rows, total] = await Promise.all([
      this.scoped.find(oid, rowsFilter(match, sort?.field), {
        sort: orderOf(sort),
        hint: hintOf(match, sort?.field),
        projection: { plan: 0 },
        ...pageBounds(page),
      }),
      this.scoped.total(oid, match as object, { hint: hintOf(match) }),
    ]);
    return { rows, total };
  }
}

/** `success` leads every index. A sort by a later field scans its two values separately and merges them. */
const rowsFilter = (match: { success?: boolean; event?: string }, sortField = 'created'): object =>
  match.success !== undefined || sortField === 'success' || (sortField === 'event' && match.event === undefined)
    ? match
    : { ...match, success: { $in: [true, false] } };

/**
 * The index of a list. Six begin alike, and the database would try them against each other.
 * @param field of the order; none for a count
 */
function hintOf({ event }: { event?: string }, field = 'created'): Record<string, 1> {
  const isByEvent = event !== undefined || field === 'event';
  const last = field === 'event' || field === 'success' ? 'created' : field;
  return { oid: 1, ...(isByEvent ? { event: 1 as const } : {}), success: 1, [last]: 1, _id: 1 };
}

/** The sort ends in `_id` and has one direction for all keys, so that an index gives the order. */
function orderOf(sort: { field: string; direction: SortDirection } | null): Record<string, SortDirection> {
  const { field, direction } = sort ?? { field: 'created', direction: 1 };
  const ties = field === 'event' ? ['success', 'created'] : field === 'success' ? ['created'] : [];
  return Object.fromEntries([field, ...ties, '_id'].map((key) => [key, direction]));
}

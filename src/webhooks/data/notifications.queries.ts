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
    } as object;
    const order =
      sort && sort.field !== 'created'
        ? { [sort.field]: sort.direction, created: sort.direction }
        : { created: sort?.direction ?? 1 };
    const [rows, total] = await Promise.all([
      this.scoped.find(oid, match, { sort: { ...order, _id: 1 }, projection: { plan: 0 }, ...pageBounds(page) }),
      this.scoped.count(oid, match),
    ]);
    return { rows, total };
  }
}

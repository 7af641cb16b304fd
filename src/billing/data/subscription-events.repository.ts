import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { SubscriptionEvent } from './subscription-event.schema.js';

export type EventFilter = Partial<Pick<SubscriptionEvent, 'status' | 'subId' | 'planId' | 'oid' | 'type'>>;

@Injectable()
export class SubscriptionEventsRepository {
  constructor(@InjectModel(SubscriptionEvent.name) private readonly events: Model<SubscriptionEvent>) {}

  /** @returns the event's id as text */
  async insert(event: Omit<SubscriptionEvent, '_id'>, tx: Tx): Promise<string> {
    const [stored] = await this.events.insertMany([event], { session: tx });
    return String(stored?._id);
  }

  /** Events that the sort leaves equal come in order of insertion. */
  async list(
    filter: EventFilter,
    sort: { field: string; direction: SortDirection } | null,
    bounds: PageBounds,
  ): Promise<SubscriptionEvent[]> {
    const order: Record<string, SortDirection> = sort ? { [sort.field]: sort.direction, _id: 1 } : { _id: 1 };
    const query = this.events.find(filter as QueryFilter<SubscriptionEvent>, { _id: 0 }, { ...bounds, sort: order });
    return decode((await query.lean().exec()) as SubscriptionEvent[]);
  }

  async count(filter: EventFilter): Promise<number> {
    return this.events.countDocuments(filter as QueryFilter<SubscriptionEvent>).exec();
  }
}

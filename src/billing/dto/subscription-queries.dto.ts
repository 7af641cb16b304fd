import { PageQuery } from '../../common/pagination/page.js';
import { Str, Int, Uuid, OneOf } from '../../common/validation/fields.js';
import { SUBSCRIPTION_EVENT_TYPES, type SubscriptionEventType } from '../data/subscription-event.schema.js';

export class SubscriptionPath {
  @Str() sub_id!: string;
}

/** Filters match exactly and all of them. */
export class SubscriptionEventsQuery extends PageQuery {
  @Str({ nullable: true, optional: true }) status?: string | null;
  @Str({ nullable: true, optional: true }) subId?: string | null;
  @Uuid({ nullable: true, optional: true }) oid?: string | null;
  @Str({ nullable: true, optional: true }) planId?: string | null;
  @OneOf([...SUBSCRIPTION_EVENT_TYPES], { nullable: true, optional: true }) type?: SubscriptionEventType | null;
  /** timestamp, subId, oid, status, planId, futureCancelDate; events without the field come first. */
  @Str({ nullable: true }) sortBy: string | null = 'timestamp';
  /** 1 or -1. */
  @Int({ nullable: true }) sortDirection: number | null = 1;
}

export class CheckoutQuery {
  /** Minutes to buy; the checkout page asks when absent. */
  @Int({ nullable: true, optional: true }) minutes?: number | null;
}

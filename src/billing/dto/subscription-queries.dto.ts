import { PageQuery } from '../../common/pagination/page.js';
import { literal, nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { int, str } from '../../common/validation/scalars.js';
import { SUBSCRIPTION_EVENT_TYPES, type SubscriptionEventType } from '../data/subscription-event.schema.js';

export class SubscriptionPath {
  @Field(str()) sub_id!: string;
}

/** Filters match exactly and all of them. */
export class SubscriptionEventsQuery extends PageQuery {
  @Field(nullable(str()), { optional: true }) status?: string | null;
  @Field(nullable(str()), { optional: true }) subId?: string | null;
  @Field(nullable(uuid()), { optional: true }) oid?: string | null;
  @Field(nullable(str()), { optional: true }) planId?: string | null;
  @Field(nullable(literal(...SUBSCRIPTION_EVENT_TYPES)), { optional: true }) type?: SubscriptionEventType | null;
  /** timestamp, subId, oid, status, planId, futureCancelDate; events without the field come first. */
  @Field(nullable(str()), { default: 'timestamp' }) sortBy!: string | null;
  /** 1 or -1. */
  @Field(nullable(int()), { default: 1 }) sortDirection!: number | null;
}

export class CheckoutQuery {
  /** Minutes to buy; the checkout page asks when absent. */
  @Field(nullable(int()), { optional: true }) minutes?: number | null;
}

import { PageQuery } from '../../common/pagination/page.js';
import { anyOf } from '../../common/validation/composites.js';
import {
  Str,
  Bool,
  Uuid,
  Int,
  Num,
  TimeText,
  OneOf,
  Email,
  Enum,
  Nested,
  ListOf,
  DateTime,
} from '../../common/validation/fields.js';
import { OrgQuotas, OrgQuotasIn } from '../../orgs/dto/org-settings.dto.js';
import { SUBSCRIPTION_STATUSS, type SubscriptionStatus } from '../../users/dto/users.dto.js';
import { SUBSCRIPTION_EVENT_TYPES, type SubscriptionEventType } from '../data/subscription-event.schema.js';

export class InviteAddedResponse {
  @Bool() added!: boolean;
  @Uuid() id!: string;
  @Str() invited!: string;
  /** Token of the invite. */
  @Uuid() token!: string;
}

export class SubscriptionAddMinutesOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['add-minutes']) type = 'add-minutes' as const;
  @Int() minutes!: number;
  @Num() totalPrice!: number;
  @Str() currency!: string;
  @Str() paymentId!: string;
}

export class SubscriptionCancelOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['cancel']) type = 'cancel' as const;
  @Str() subId!: string;
}

export class SubscriptionCreateOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['create']) type = 'create' as const;
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @Email() firstAdminInviteEmail!: string;
  @Nested(() => OrgQuotas, { nullable: true }) quotas: OrgQuotas | null = null;
}

export class SubscriptionImportOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['import']) type = 'import' as const;
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
}

export class SubscriptionUpdateOut {
  @Uuid() oid!: string;
  @TimeText() timestamp!: string;
  @OneOf(['update']) type = 'update' as const;
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @TimeText({ nullable: true }) futureCancelDate: string | null = null;
  @Nested(() => OrgQuotasIn, { nullable: true }) quotas: OrgQuotasIn | null = null;
}

export class PaginatedSubscriptionEventResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(
    anyOf(
      () => SubscriptionCreateOut,
      () => SubscriptionUpdateOut,
      () => SubscriptionCancelOut,
      () => SubscriptionImportOut,
      () => SubscriptionAddMinutesOut,
    ),
  )
  items!: (
    | SubscriptionCreateOut
    | SubscriptionUpdateOut
    | SubscriptionCancelOut
    | SubscriptionImportOut
    | SubscriptionAddMinutesOut
  )[];
}

export class SubscriptionAddMinutes {
  @Uuid() oid!: string;
  @Int() minutes!: number;
  @Num() totalPrice!: number;
  @Str() currency!: string;
  @Str() paymentId!: string;
}

export class SubscriptionCancel {
  @Str() subId!: string;
}

export class SubscriptionCanceledResponse {
  @Bool() deleted!: boolean;
  /** Whether the subscription was ended. */
  @Bool() canceled!: boolean;
}

export class SubscriptionCreate {
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @Email() firstAdminInviteEmail!: string;
  @Nested(() => OrgQuotas, { nullable: true, optional: true }) quotas?: OrgQuotas | null;
}

export class SubscriptionImport {
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @Uuid() oid!: string;
}

export class SubscriptionPath {
  /** Id of the subscription at the billing service. */
  @Str() sub_id!: string;
}

/** Filters of the events. All of them must match exactly. */
export class SubscriptionEventsQuery extends PageQuery {
  /** State that the event brought. */
  @Str({ nullable: true, optional: true }) status?: string | null;
  @Str({ nullable: true, optional: true }) subId?: string | null;
  /** Only events of this org. */
  @Uuid({ nullable: true, optional: true }) oid?: string | null;
  @Str({ nullable: true, optional: true }) planId?: string | null;
  /** Kind of event. */
  @OneOf([...SUBSCRIPTION_EVENT_TYPES], { nullable: true, optional: true }) type?: SubscriptionEventType | null;
  /** `timestamp`, `subId`, `oid`, `status`, `planId` or `futureCancelDate`; events without the field come first. */
  @Str({ nullable: true }) sortBy: string | null = 'timestamp';
  /** 1: ascending; -1: descending. */
  @Int({ nullable: true }) sortDirection: number | null = 1;
}

export class CheckoutQuery {
  /** Minutes to buy; when absent, the checkout page asks. */
  @Int({ nullable: true, optional: true }) minutes?: number | null;
}

export class SubscriptionTrialEndReminder {
  @Str() subId!: string;
  /** What becomes of the subscription when its trial ends. */
  @OneOf(['cancel', 'continue', 'read-only']) behavior_on_trial_end!: 'cancel' | 'continue' | 'read-only';
}

export class SubscriptionUpdate {
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @DateTime({ nullable: true, optional: true }) futureCancelDate?: Date | null;
  @Nested(() => OrgQuotasIn, { nullable: true, optional: true }) quotas?: OrgQuotasIn | null;
}

import { anyOf } from '../../common/validation/composites.js';
import { Str, Bool, TimeText, Enum, Uuid, Nested, Email, ListOf, Int } from '../../common/validation/fields.js';

/** The contract's `SubscriptionStatus`. */
export const SUBSCRIPTION_STATUSS = [
  'active',
  'trialing',
  'trialing_canceled',
  'paused_payment_failed',
  'cancelled',
  'payment_never_made',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSS)[number];

export class Subscription {
  @Str() subId!: string;
  @Enum('SubscriptionStatus', SUBSCRIPTION_STATUSS) status!: SubscriptionStatus;
  @Str() planId!: string;
  @TimeText({ nullable: true }) futureCancelDate: string | null = null;
  @Bool() readOnlyOnCancel = false;
}

/** The contract's `UserRole`. */
export const USER_ROLES = [10, 20, 40, 100] as const;
export type UserRole = (typeof USER_ROLES)[number];

export class UserOrgInfoOutWithSubs {
  @Uuid() id!: string;
  @Str() name!: string;
  @Str() slug!: string;
  @Bool() default!: boolean;
  @Enum('UserRole', USER_ROLES) role!: UserRole;
  @Bool() readOnly!: boolean;
  @Str({ nullable: true }) readOnlyReason: string | null = null;
  @Nested(() => Subscription, { nullable: true }) subscription: Subscription | null = null;
}

export class UserOrgInfoOut {
  @Uuid() id!: string;
  @Str() name!: string;
  @Str() slug!: string;
  @Bool() default!: boolean;
  @Enum('UserRole', USER_ROLES) role!: UserRole;
}

export class UserOutNoId {
  /** Name of the user. */
  @Str() name = '';
  @Email() email!: string;
  /** The user's orgs and role in each. */
  @ListOf(
    anyOf(
      () => UserOrgInfoOut,
      () => UserOrgInfoOutWithSubs,
    ),
  )
  orgs!: (UserOrgInfoOut | UserOrgInfoOutWithSubs)[];
  /** Whether the address was verified. */
  @Bool() is_verified = false;
}

export class PaginatedUserOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => UserOutNoId) items!: UserOutNoId[];
}

export class UserOut extends UserOutNoId {
  @Uuid() id!: string;
  /** Whether the user runs the deployment and may do everything. */
  @Bool() is_superuser = false;
}

export class UserUpdateEmailName {
  @Email({ nullable: true, optional: true }) email?: string | null;
  /** Name of the user. */
  @Str({ nullable: true, optional: true }) name?: string | null;
  /** The current password, which is compared where it is given; the console asks for it with a new address. */
  @Str({ nullable: true, optional: true }) password?: string | null;
}

export class UserUpdatePassword {
  @Email() email!: string;
  /** The current password. */
  @Str() password!: string;
  @Str() newPassword!: string;
  /** Whether a password that is among the commonest, or made of the person's name, is refused: `password_too_common`. */
  @Bool() refuseCommon = false;
}

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

import { QUOTA_NAMES, type Org } from '../orgs/data/org.schema.js';
import type { SentQuotas } from '../orgs/rules/quota.rules.js';
import type { SubscriptionStatus } from '../users/dto/users.dto.js';

/** Reason for which clients show a banner. */
export const PAUSED_REASON = 'subscriptionPaused';
export const CANCELED_REASON = 'subscriptionCanceled';

/** The effect of a status on the org; other statuses leave the org as it is. Contract: accounts §12, seed §3. */
export function readOnlyAfter(status: SubscriptionStatus): Pick<Org, 'readOnly' | 'readOnlyReason'> | null {
  if (status === 'paused_payment_failed') return { readOnly: true, readOnlyReason: PAUSED_REASON };
  return status === 'active' ? { readOnly: false, readOnlyReason: '' } : null;
}

/** The members that were sent, nulls included; null without an object. */
export function sentQuotas(quotas: SentQuotas | null | undefined): Record<string, number | null> | null {
  if (!quotas) return null;
  const sent = QUOTA_NAMES.flatMap((name) =>
    quotas[name] === undefined ? [] : [[name, quotas[name] ?? null] as const],
  );
  return Object.fromEntries(sent);
}

/** Granted minutes are bought one by one, so an update of the subscription does not set them. */
export function renewableQuotas(quotas: SentQuotas): SentQuotas {
  const { extraExecMinutes: _extra, giftedExecMinutes: _gifted, ...rest } = quotas;
  return rest;
}

/** Whether owners must be told that the subscription ends. */
export function announcesEnd(before: Date | null | undefined, after: Date | null, status: SubscriptionStatus): boolean {
  if (!after) return false;
  return before?.getTime() !== after.getTime() || status === 'trialing_canceled';
}

import { wireTime, wireTimeOrNull } from '../common/validation/date-time.js';
import { QUOTA_NAMES } from '../orgs/data/org.schema.js';
import type { OrgQuotas, OrgQuotasIn } from '../orgs/dto/org-settings.dto.js';
import type { SubscriptionStatus } from '../users/dto/users.dto.js';
import type { SubscriptionEvent } from './data/subscription-event.schema.js';
import type { PaginatedSubscriptionEventResponse } from './dto/subscriptions.dto.js';

export type SubscriptionEventOut = PaginatedSubscriptionEventResponse['items'][number];

/** All six members, or null when no quotas were sent. Members that were not sent are `unsent`. */
function quotasOf<T>(quotas: SubscriptionEvent['quotas'], unsent: number | null): T | null {
  if (!quotas) return null;
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, quotas[name] ?? unsent])) as T;
}

/** An event with the fields of its type. Contract: accounts §12. */
export function toSubscriptionEventOut(event: SubscriptionEvent): SubscriptionEventOut {
  const common = { oid: event.oid, timestamp: wireTime(event.timestamp) };
  const subId = event.subId ?? '';
  const plan = { subId, status: event.status as SubscriptionStatus, planId: event.planId ?? '' };
  switch (event.type) {
    case 'create': {
      const quotas = quotasOf<OrgQuotas>(event.quotas, 0);
      return { ...common, type: 'create', ...plan, firstAdminInviteEmail: event.firstAdminInviteEmail ?? '', quotas };
    }
    case 'import':
      return { ...common, type: 'import', ...plan };
    case 'update': {
      const quotas = quotasOf<OrgQuotasIn>(event.quotas, null);
      return { ...common, type: 'update', ...plan, futureCancelDate: wireTimeOrNull(event.futureCancelDate), quotas };
    }
    case 'cancel':
      return { ...common, type: 'cancel', subId };
    case 'add-minutes':
      return {
        ...common,
        type: 'add-minutes',
        minutes: event.minutes ?? 0,
        totalPrice: event.totalPrice ?? 0,
        currency: event.currency ?? '',
        paymentId: event.paymentId ?? '',
      };
  }
}

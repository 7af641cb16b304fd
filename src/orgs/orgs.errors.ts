import { DomainError, Invalid } from '../common/errors/domain-error.js';
import type { WriteBlock } from './rules/quota.rules.js';

/** The org may not write: read-only, or a quota is used up. Contract: accounts §8.1. */
export class WriteRefused extends DomainError {
  readonly kind = 'forbidden';
  constructor(readonly detail: WriteBlock) {
    super(detail);
  }
}

/** A failure of this room with nothing but its code. */
export class DuplicateOrgName extends Invalid {
  readonly detail = 'duplicate_org_name';
}
export class DuplicateOrgSlug extends Invalid {
  readonly detail = 'duplicate_org_slug';
}
export class DuplicateSubscription extends Invalid {
  readonly detail = 'duplicate_org_subscription.subId';
}
export class InvalidSlug extends Invalid {
  readonly detail = 'invalid_slug';
}
export class EitherPlanOrQuotas extends Invalid {
  readonly detail = 'invalid_request_use_either_plan_or_quotas';
}
export class InvalidPlan extends Invalid {
  readonly detail = 'invalid_plan';
}
/** AVAILABLE_PLANS holds no valid JSON document of plans. */
export class InvalidPlans extends Invalid {
  readonly detail = 'invalid_plans';
}
export class NoUpdateData extends Invalid {
  readonly detail = 'no_update_data';
}
export class InvalidLang extends Invalid {
  readonly detail = 'invalid_lang';
}

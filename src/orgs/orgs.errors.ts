import { DomainError, invalid } from '../common/errors/domain-error.js';
import type { WriteBlock } from './rules/quota.rules.js';

/** The org may not write, because it is read-only or a quota is used up. Contract: accounts §8.1. */
export class WriteRefused extends DomainError {
  readonly kind = 'forbidden';
  constructor(readonly detail: WriteBlock) {
    super(detail);
  }
}

export class DuplicateOrgName extends invalid('duplicate_org_name') {}
export class DuplicateOrgSlug extends invalid('duplicate_org_slug') {}
export class DuplicateSubscription extends invalid('duplicate_org_subscription.subId') {}
export class InvalidSlug extends invalid('invalid_slug') {}
export class EitherPlanOrQuotas extends invalid('invalid_request_use_either_plan_or_quotas') {}
export class InvalidPlan extends invalid('invalid_plan') {}
/** AVAILABLE_PLANS holds no valid JSON document of plans. */
export class InvalidPlans extends invalid('invalid_plans') {}
export class NoUpdateData extends invalid('no_update_data') {}
export class InvalidLang extends invalid('invalid_lang') {}

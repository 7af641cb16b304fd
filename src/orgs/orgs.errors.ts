import { DomainError, invalid } from '../common/errors/domain-error.js';
import type { WriteBlock } from './rules/quota.rules.js';

/** The org may not write, because it is read-only or a quota is used up. Contract: accounts §8.1. */
export class WriteRefused extends DomainError {
  readonly kind = 'forbidden';
  constructor(readonly detail: WriteBlock) {
    super(detail);
  }
}

/** Another org has the name. */
export class DuplicateOrgName extends invalid('duplicate_org_name') {}
/** Another org has this name in URLs. */
export class DuplicateOrgSlug extends invalid('duplicate_org_slug') {}
/** Another org has the subscription. */
export class DuplicateSubscription extends invalid('duplicate_org_subscription.subId') {}
/** The name in URLs has characters that it must not have. */
export class InvalidSlug extends invalid('invalid_slug') {}
/** Both a plan and quotas are given. */
export class EitherPlanOrQuotas extends invalid('invalid_request_use_either_plan_or_quotas') {}
/** There is no such plan. */
export class InvalidPlan extends invalid('invalid_plan') {}
/** AVAILABLE_PLANS holds no valid JSON document of plans. */
export class InvalidPlans extends invalid('invalid_plans') {}
/** The body changes nothing. */
export class NoUpdateData extends invalid('no_update_data') {}
/** The language is no code of ISO 639. */
export class InvalidLang extends invalid('invalid_lang') {}

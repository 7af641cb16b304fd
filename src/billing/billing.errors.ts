import { DomainError, Invalid, NotFound } from '../common/errors/domain-error.js';

export class InvalidOrgId extends Invalid {
  readonly detail = 'invalid_org_id';
}

export class FutureCancelDateNotFound extends Invalid {
  readonly detail = 'future_cancel_date_not_found';
}

export class NoAdminUsersFound extends Invalid {
  readonly detail = 'no_admin_users_found';
}

/** No org has this subscription, or not any more. */
export class OrgForSubscriptionNotFound extends NotFound {
  readonly detail = 'org_for_subscription_not_found';
}

export class NoSubscription extends NotFound {
  readonly detail = 'Organization has no subscription';
}

/** The billing service did not answer with a URL, or there is none. */
export class CheckoutFailed extends DomainError {
  readonly kind = 'internal';
  readonly detail = 'Error fetching checkout url';
}

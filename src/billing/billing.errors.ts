import { failure, invalid, notFound } from '../common/errors/domain-error.js';

/** There is no such org. */
export class InvalidOrgId extends invalid('invalid_org_id') {}
/** The subscription has no planned end. */
export class FutureCancelDateNotFound extends invalid('future_cancel_date_not_found') {}
/** The org has no owner to write to. */
export class NoAdminUsersFound extends invalid('no_admin_users_found') {}

/** No org has this subscription now. */
export class OrgForSubscriptionNotFound extends notFound('org_for_subscription_not_found') {}
/** The org has no subscription. */
export class NoSubscription extends notFound('Organization has no subscription') {}

/** The billing service did not answer with a URL, or there is no billing service. */
export class CheckoutFailed extends failure('internal', 'Error fetching checkout url') {}

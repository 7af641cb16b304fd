import { failure, invalid, notFound } from '../common/errors/domain-error.js';

/** The org, or the user, has as many keys as may be. */
export class TooManyKeys extends invalid('api_key_limit_reached') {}
/** A key that is made now can't end before. */
export class KeyExpiryPast extends invalid('api_key_expiry_past') {}
/** One of the addresses is neither an address nor a network. */
export class KeyAddressInvalid extends invalid('api_key_address_invalid') {}
/** Only superusers may make keys for the whole deployment, and only as their own. */
export class KeyScopeNotAllowed extends invalid('api_key_scope_not_allowed') {}
/** There is no such key, or it is somebody else's. */
export class KeyNotFound extends notFound('api_key_not_found') {}
/** The key is good, but its time is over. */
export class KeyExpired extends failure('unauthenticated', 'api_key_expired') {}
/** The key is good, but may not be used from this address. */
export class KeyAddressRefused extends failure('forbidden', 'api_key_address_refused') {}
/** Keys are refused in URLs, which get into logs and histories. */
export class KeyInUrl extends failure('unauthenticated', 'api_key_in_url') {}
/** A personal key opens all orgs, so it is limited to nothing of one. */
export class KeyLimitNeedsOrg extends invalid('api_key_limit_needs_org') {}
/** The org has as many service accounts as may be. */
export class TooManyServiceAccounts extends invalid('service_account_limit_reached') {}
/** There is no such service account in the org. */
export class ServiceAccountNotFound extends notFound('service_account_not_found') {}
/** The key is good, but its service account is disabled. */
export class ServiceAccountDisabled extends failure('unauthenticated', 'service_account_disabled') {}

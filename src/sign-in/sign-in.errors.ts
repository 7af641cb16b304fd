import { failure, invalid, notFound } from '../common/errors/domain-error.js';

/** No provider of this id is set up. */
export class SignInProviderNotFound extends notFound('sign_in_provider_not_found') {}
/** The sign-in was begun too long ago, in another browser, or is over already. */
export class SignInExpired extends invalid('sign_in_expired') {}
/** What the provider sent doesn't prove who the person is. */
export class SignInNotProven extends invalid('sign_in_not_proven') {}
/** The provider refused, or the person did. */
export class SignInDenied extends failure('forbidden', 'sign_in_denied') {}
/** The provider can't be reached, or doesn't answer as one. */
export class SignInProviderAway extends failure('bad-gateway', 'sign_in_provider_away') {}
/** The person has no account, and gets none. */
export class SignInNoAccount extends failure('forbidden', 'sign_in_no_account') {}
/** The provider sends no address, or one that it hasn't verified. */
export class SignInAddressUnverified extends failure('forbidden', 'sign_in_address_unverified') {}
/** An account has the address, and may not be linked by it. */
export class SignInAddressTaken extends failure('forbidden', 'sign_in_address_taken') {}
/** The account has a second factor, which the client can't ask for and the provider doesn't vouch for. */
export class SignInSecondFactorNeeded extends failure('forbidden', 'sign_in_second_factor_needed') {}

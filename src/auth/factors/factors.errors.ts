import { DomainError, failure, invalid, notFound } from '../../common/errors/domain-error.js';

/** What goes with a log-in that is half done. */
export interface Challenge {
  /** Token for the second step, good for five minutes. */
  readonly challenge: string;
  /** What the account has: `totp`, `passkey`, `recovery`. */
  readonly methods: readonly string[];
  /** Options of WebAuthn for the account's passkeys; null where it has none, or they can't be used. */
  readonly passkey: object | null;
}

/** The password is right, and the account has a second factor, which the log-in lacks. */
export class SecondFactorRequired extends DomainError {
  readonly kind = 'unauthenticated';
  readonly detail = 'second_factor_required';
  override readonly headers = { 'WWW-Authenticate': 'Bearer', 'Cache-Control': 'no-store' };

  override readonly more: Readonly<Record<string, unknown>>;

  constructor(challenge: Challenge) {
    super();
    this.more = { ...challenge };
  }
}

/** The code is wrong, was used, or is over. */
export class SecondFactorWrong extends invalid('second_factor_wrong') {}
/** The step was begun too long ago, was made already, or belongs to a former password. */
export class SecondStepExpired extends invalid('second_step_expired') {}
/** The account has a second factor, which HTTP Basic can't carry: an API key is taken instead. */
export class KeyNeeded extends failure('unauthenticated', 'api_key_needed') {
  override readonly headers = { 'WWW-Authenticate': 'Basic realm="Muniment", charset="UTF-8"' };
}
/** Neither the password nor a code was given, and the log-in is no fresh one. */
export class ProofNeeded extends invalid('fresh_proof_needed') {}
/** The account has this factor already. */
export class FactorExists extends invalid('second_factor_exists') {}
/** The account has no such factor. */
export class FactorNotFound extends notFound('second_factor_not_found') {}
/** The account has as many passkeys as may be, this one already, or it is another account's. */
export class PasskeyRefused extends invalid('passkey_refused') {}
/** What the authenticator sent does not prove anything. */
export class PasskeyNotProven extends invalid('passkey_not_proven') {}
/** Passkeys belong to a domain: the service has an address without a name, or no TLS. */
export class PasskeysUnavailable extends invalid('passkeys_unavailable') {}
/** No account has the address. */
export class AccountUnknown extends notFound('account_unknown') {}

import { DomainError, failure, invalid } from '../common/errors/domain-error.js';

/** The address is unknown or the password is wrong; the caller can't tell which. */
export class BadCredentials extends invalid('login_bad_credentials') {}

/** The deployment lets nobody, or superusers alone, log in with a password. */
export class PasswordLoginOff extends failure('forbidden', 'password_login_off') {}

/** The address or the client is locked after failed logins. Contract: accounts §3. */
export class TooManyLoginAttempts extends DomainError {
  readonly kind = 'rate-limited';
  readonly detail = 'too_many_login_attempts';
  override readonly headers: Readonly<Record<string, string>>;

  constructor(retryAfterSeconds: number) {
    super();
    this.headers = { 'Retry-After': String(retryAfterSeconds) };
  }
}

/** Accounts are made by invite only. */
export class InviteTokenRequired extends invalid('invite_token_required') {}

/** The current password is wrong, when changing it or when registering again. */
export class InvalidCurrentPassword extends invalid('invalid_current_password') {}

/** REGISTER_TO_ORG_ID names no org. */
export class RegisterOrgNotFound extends failure('internal', 'default_register_org_not_found') {}
/** The deployment has no default org. */
export class DefaultOrgMissing extends failure('internal', 'default_org_missing') {}
/** The token is unknown, used or expired. */
export class BadResetToken extends invalid('reset_password_bad_token') {}
/** The token is unknown or expired. */
export class BadVerifyToken extends invalid('verify_user_bad_token') {}
/** The address is verified already. */
export class AlreadyVerified extends invalid('verify_user_already_verified') {}
/** The body changes nothing. */
export class NoUpdatesSpecified extends invalid('no_updates_specified') {}

import { DomainError, invalid, notFound } from '../common/errors/domain-error.js';

/** Unknown or expired token, somebody else's invite, or its org is gone. */
export class InvalidInvite extends invalid('invalid_invite') {}

/** An invite of this address to this org is pending. The contract has one text for addresses, one for accounts. */
export class AlreadyInvited extends DomainError {
  readonly kind = 'forbidden';
  readonly detail: string;
  constructor(hasAccount: boolean) {
    super();
    this.detail = hasAccount ? 'user_already_invited_to_org' : 'This user has already been invited';
  }
}

export class InviteNotFound extends notFound('invite_not_found') {}

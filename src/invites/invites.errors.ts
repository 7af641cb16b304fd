import { DomainError, invalid, notFound } from '../common/errors/domain-error.js';

/** The token is unknown or expired, the invite is somebody else's, or its org is gone. */
export class InvalidInvite extends invalid('invalid_invite') {}

/** This address has a pending invite to this org. The contract has one text for addresses and one for accounts. */
export class AlreadyInvited extends DomainError {
  readonly kind = 'forbidden';
  readonly detail: string;
  constructor(hasAccount: boolean) {
    super();
    this.detail = hasAccount ? 'user_already_invited_to_org' : 'This user has already been invited';
  }
}

/** There is no such invite. */
export class InviteNotFound extends notFound('invite_not_found') {}

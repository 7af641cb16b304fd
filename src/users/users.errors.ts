import { DomainError } from '../common/errors/domain-error.js';

/** Another account has the address. */
export class UserAlreadyExists extends DomainError {
  readonly kind = 'invalid';
  readonly detail = 'user_already_exists';
}

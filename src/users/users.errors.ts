import { Invalid } from '../common/errors/domain-error.js';

/** Another account has the address. */
export class UserAlreadyExists extends Invalid {
  readonly detail = 'user_already_exists';
}

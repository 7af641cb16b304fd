import { invalid } from '../common/errors/domain-error.js';

/** Another account has the address. */
export class UserAlreadyExists extends invalid('user_already_exists') {}

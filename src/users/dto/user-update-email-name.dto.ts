import { Str, Email } from '../../common/validation/fields.js';

export class UserUpdateEmailName {
  @Email({ nullable: true, optional: true }) email?: string | null;
  @Str({ nullable: true, optional: true }) name?: string | null;
}

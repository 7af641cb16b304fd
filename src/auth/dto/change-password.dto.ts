import { Str, Email } from '../../common/validation/fields.js';

/** Body of the seed's `PUT /users/me/change-password`; the address is not compared with anything. */
export class ChangePassword {
  @Email({ nullable: true, optional: true }) email?: string | null;
  /** The current password. */
  @Str() password!: string;
  @Str() newPassword!: string;
}

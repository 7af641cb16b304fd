import { Str, Email } from '../../common/validation/fields.js';

export class UserUpdatePassword {
  @Email() email!: string;
  @Str() password!: string;
  @Str() newPassword!: string;
}

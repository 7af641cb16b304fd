import { Str, Uuid, Email } from '../../common/validation/fields.js';

export class UserCreate {
  @Email() email!: string;
  @Str() password!: string;
  @Str({ nullable: true }) name: string | null = '';
  @Uuid({ nullable: true, optional: true }) inviteToken?: string | null;
}

import { nullable } from '../../common/validation/composites.js';
import { email } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';

/** Body of the seed's `PUT /users/me/change-password`; the address is not compared with anything. */
export class ChangePassword {
  @Field(nullable(email()), { optional: true }) email?: string | null;
  /** The current password. */
  @Field(str()) password!: string;
  @Field(str()) newPassword!: string;
}

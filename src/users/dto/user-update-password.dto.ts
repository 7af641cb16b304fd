import { email } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class UserUpdatePassword {
  @Field(email()) email!: string;
  @Field(str()) password!: string;
  @Field(str()) newPassword!: string;
}

import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class Body_reset_password_api_auth_reset_password_post {
  @Field(str()) token!: string;
  @Field(str()) password!: string;
}

import { email } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class Body_forgot_password_api_auth_forgot_password_post {
  @Field(email()) email!: string;
}

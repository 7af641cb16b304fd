import { EmbeddedBody } from '../../common/validation/contract.pipe.js';
import { Email } from '../../common/validation/fields.js';

@EmbeddedBody()
export class Body_forgot_password_api_auth_forgot_password_post {
  @Email() email!: string;
}

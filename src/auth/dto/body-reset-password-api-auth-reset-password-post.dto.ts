import { EmbeddedBody } from '../../common/validation/contract.pipe.js';
import { Str } from '../../common/validation/fields.js';

@EmbeddedBody()
export class Body_reset_password_api_auth_reset_password_post {
  @Str() token!: string;
  @Str() password!: string;
}

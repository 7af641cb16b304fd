import { EmbeddedBody } from '../../common/validation/contract.pipe.js';
import { Email } from '../../common/validation/fields.js';

@EmbeddedBody()
export class Body_request_verify_token_api_auth_request_verify_token_post {
  @Email() email!: string;
}

import { EmbeddedBody } from '../../common/validation/contract.pipe.js';
import { Str } from '../../common/validation/fields.js';

@EmbeddedBody()
export class Body_verify_api_auth_verify_post {
  @Str() token!: string;
}

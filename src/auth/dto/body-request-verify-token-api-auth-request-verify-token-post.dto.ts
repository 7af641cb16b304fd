import { email } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class Body_request_verify_token_api_auth_request_verify_token_post {
  @Field(email()) email!: string;
}

import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class Body_verify_api_auth_verify_post {
  @Field(str()) token!: string;
}

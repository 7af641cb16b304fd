import { ComponentName } from '../../common/openapi/returns.js';
import { nullable } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

/** Readers of the document hide what is typed into these. */
const password = () => ({ ...str(), schema: () => ({ type: 'string', format: 'password' }) });

@ComponentName('Body_login_api_auth_jwt_login_post')
export class LoginForm {
  @Field(nullable(str({ pattern: /^password$/ })), { optional: true }) grant_type?: string | null;
  @Field(str()) username!: string;
  @Field(password()) password!: string;
  @Field(str(), { default: '' }) scope!: string;
  @Field(nullable(str()), { optional: true }) client_id?: string | null;
  @Field(nullable(password()), { optional: true }) client_secret?: string | null;
}

import { ComponentName } from '../../common/openapi/returns.js';
import { EmbeddedBody } from '../../common/validation/contract.pipe.js';
import { Of, Str } from '../../common/validation/fields.js';
import type { Kind } from '../../common/validation/kind.js';
import { str } from '../../common/validation/scalars.js';

/** Readers of the document hide what is typed into these. */
const password = (): Kind<string> => ({ ...str(), schema: () => ({ type: 'string', format: 'password' }) });

@EmbeddedBody()
@ComponentName('Body_login_api_auth_jwt_login_post')
export class LoginForm {
  @Str({ pattern: /^password$/, nullable: true, optional: true }) grant_type?: string | null;
  @Str() username!: string;
  @Of(password()) password!: string;
  @Str() scope = '';
  @Str({ nullable: true, optional: true }) client_id?: string | null;
  @Of(password(), { nullable: true, optional: true }) client_secret?: string | null;
}

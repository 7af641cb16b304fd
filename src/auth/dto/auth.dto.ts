import { ApiSchema } from '@nestjs/swagger';
import { EmbeddedBody } from '../../common/validation/contract.pipe.js';
import { Bool, Str, Nested, Email, Of, Uuid, ItemId, TimeText, OneOf } from '../../common/validation/fields.js';
import type { Kind } from '../../common/validation/kind.js';
import { str } from '../../common/validation/scalars.js';
import { UserOut } from '../../users/dto/users.dto.js';

export class BearerResponse {
  /** The token; send it as `Authorization: Bearer …`. */
  @Str() access_token!: string;
  /** `bearer`. */
  @Str() token_type!: string;
  /** The user who logged in. */
  @Nested(() => UserOut) user_info!: UserOut;
}

@EmbeddedBody()
export class Body_forgot_password_api_auth_forgot_password_post {
  @Email() email!: string;
}

@EmbeddedBody()
export class Body_request_verify_token_api_auth_request_verify_token_post {
  @Email() email!: string;
}

@EmbeddedBody()
export class Body_reset_password_api_auth_reset_password_post {
  @Str() token!: string;
  @Str() password!: string;
  /** Whether a password that is among the commonest, or made of the person's name, is refused: `password_too_common`. */
  @Bool() refuseCommon = false;
}

@EmbeddedBody()
export class Body_verify_api_auth_verify_post {
  @Str() token!: string;
}

/** Body of the seed's `PUT /users/me/change-password`. The address is not compared with anything. */
export class ChangePassword {
  @Email({ nullable: true, optional: true }) email?: string | null;
  /** The current password. */
  @Str() password!: string;
  @Str() newPassword!: string;
  /** Whether a password that is among the commonest, or made of the person's name, is refused: `password_too_common`. */
  @Bool() refuseCommon = false;
}

/** The schema's format lets readers of the document hide the typed text. */
const password = (): Kind<string> => ({ ...str(), schema: () => ({ type: 'string', format: 'password' }) });

@EmbeddedBody()
@ApiSchema({ name: 'Body_login_api_auth_jwt_login_post' })
export class LoginForm {
  /** `password`, as OAuth 2 has it; may be left out. */
  @Str({ pattern: /^password$/, nullable: true, optional: true }) grant_type?: string | null;
  /** The account's e-mail address, or the id of an API key. */
  @Str() username!: string;
  /** The account's password, or the API key. */
  @Of(password()) password!: string;
  /** A code of the account's second factor, or a recovery code; an addition to the contract. */
  @Str({ max: 100, nullable: true, optional: true }) otp?: string | null;
  /** As OAuth 2 has it; nothing is made of it. */
  @Str() scope = '';
  /** As OAuth 2 has it; nothing is made of it. */
  @Str({ nullable: true, optional: true }) client_id?: string | null;
  /** As OAuth 2 has it; nothing is made of it. */
  @Of(password(), { nullable: true, optional: true }) client_secret?: string | null;
}

/** The item or collection to replay. */
export class ReplayTokenIn {
  @Uuid() oid!: string;
  /** What the token opens. */
  @OneOf(['item', 'collection']) kind!: 'item' | 'collection';
  /** Id of the item or collection. */
  @ItemId() id!: string;
}

export class ReplayTokenOut {
  /** Token for the player; send it as `auth_bearer`. */
  @Str() token!: string;
  /** When the token ends. */
  @TimeText() expiresAt!: string;
}

export class UserCreate {
  @Email() email!: string;
  @Str() password!: string;
  /** Name of the user; the address when absent. */
  @Str({ nullable: true }) name: string | null = '';
  /** Token of the invite by which the user comes. */
  @Uuid({ nullable: true, optional: true }) inviteToken?: string | null;
  /** Whether a password that is among the commonest, or made of the person's name, is refused: `password_too_common`. */
  @Bool() refuseCommon = false;
}

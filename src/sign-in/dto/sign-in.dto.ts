import { EmbeddedBody } from '../../common/validation/contract.pipe.js';
import { demand, type Kind } from '../../common/validation/kind.js';
import { IS_TEXT, str } from '../../common/validation/scalars.js';
import { ListOf, Of, OneOf, Str } from '../../common/validation/fields.js';
import { isLocalPath } from '../rules/local-path.js';

/** Longest path to which somebody returns: it goes into a cookie. */
const MAX_PATH = 1000;
const MAX_TOKEN = 10_000;

/** A path at the service itself, so that no link to a sign-in leads anywhere else. */
const localPath = (): Kind<string> => ({
  ...str({ max: MAX_PATH }),
  demands: [
    IS_TEXT,
    demand('isLocalPath', (value) => (value as string).length <= MAX_PATH && isLocalPath(value as string), {
      type: 'value_error',
      msg: 'Value error, must be the path of a page at this service',
    }),
  ],
});

export class SignInPath {
  /** Id of the provider. */
  @Str({ max: 40 }) id!: string;
}

export class SignInStartQuery {
  /** Page at which the person arrives. */
  @Of(localPath()) returnTo: string = '/';
  /** Which program gets the session: the console, or the one that is served before this service. */
  @OneOf(['muniment', 'browsertrix']) client: 'muniment' | 'browsertrix' = 'muniment';
}

@EmbeddedBody()
export class LogoutForm {
  /** A logout token (OpenID Connect Back-Channel Logout 1.0, 2.4), which names the person (`sub`). */
  @Str({ max: MAX_TOKEN }) logout_token!: string;
}

export class SignInProviderOut {
  @Str() id!: string;
  /** What people know the provider by. */
  @Str() name!: string;
}

export class SignInChoicesOut {
  /** Where people may sign in. */
  @ListOf(() => SignInProviderOut) providers!: SignInProviderOut[];
  /** Who may log in with a password: everybody, superusers alone, nobody. */
  @OneOf(['on', 'superuser', 'off']) passwordLogin!: 'on' | 'superuser' | 'off';
  /** Origin at which passkeys can be used; null: nowhere, since the service has no name or no TLS. */
  @Str({ nullable: true }) passkeysAt!: string | null;
}

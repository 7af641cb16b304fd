import { Bool, ListOf, Str, TimeText, Uuid } from '../../common/validation/fields.js';

export class SessionPath {
  /** Id of the session. */
  @Uuid() sessionId!: string;
}

export class SessionOut {
  @Uuid() id!: string;
  /** When the session began. */
  @TimeText() created!: string;
  /** When it was last used, to five minutes. */
  @TimeText() lastUsed!: string;
  /** When it ends by itself, however often its token is renewed. */
  @TimeText() expires!: string;
  /** Address of the last use, as the service sees it; empty when unknown. */
  @Str() ip!: string;
  /** What logged in, as it says itself, such as `Firefox 131, Linux` or `curl/8.5.0`; empty when it said nothing. */
  @Str() device!: string;
  /**
   * How it began: `password`; `passkey`; `oidc:` and the id of the provider where the person signed in; `token`: by renewing a
   * token that belonged to no session.
   */
  @Str() how!: string;
  /**
   * What was proved beside the password: `totp` (a code of the app), `passkey`, `recovery` (a recovery code), `provider`,
   * which vouches for a second factor; null: nothing.
   */
  @Str({ nullable: true }) factor!: string | null;
  /** Whether it is the session of this request. */
  @Bool() current!: boolean;
}

export class SessionsOut {
  /** Sessions that are going on, at most 200, the one that was used last first. */
  @ListOf(() => SessionOut) items!: SessionOut[];
}

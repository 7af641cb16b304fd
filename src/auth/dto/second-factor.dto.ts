import {
  AnyObject,
  Bool,
  Email,
  Int,
  ListOf,
  Nested,
  Of,
  Str,
  TimeText,
  Uuid,
} from '../../common/validation/fields.js';
import { demand, type Kind } from '../../common/validation/kind.js';
import { anyObject, str } from '../../common/validation/scalars.js';

const MAX_TOKEN = 10_000;
const MAX_CODE = 100;

/** What a browser made of options; the library of WebAuthn reads it. */
const sentByBrowser = (): Kind<Record<string, unknown>> => ({
  ...anyObject(),
  demands: [
    demand('isObject', (value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      type: 'dict_type',
      msg: 'Input should be a valid dictionary',
    }),
  ],
});

export class SecondStepIn {
  /** The token of the answer `second_factor_required`. */
  @Str({ max: MAX_TOKEN }) challenge!: string;
  /** A code of the authenticator app, or a recovery code. */
  @Str({ max: MAX_CODE, nullable: true }) code: string | null = null;
  /** What the browser made of `passkey` of that answer (WebAuthn's `AuthenticationResponseJSON`). */
  @Of(sentByBrowser(), { nullable: true }) passkey: Record<string, unknown> | null = null;
}

export class PasskeyChallengeOut {
  /** Token for the log-in, good for five minutes. */
  @Str() challenge!: string;
  /** WebAuthn's `PublicKeyCredentialRequestOptionsJSON`. */
  @AnyObject() options!: Record<string, unknown>;
}

export class PasskeyLoginIn {
  /** The token of `POST /api/auth/passkey/options`. */
  @Str({ max: MAX_TOKEN }) challenge!: string;
  /** What the browser made of the options (WebAuthn's `AuthenticationResponseJSON`). */
  @Of(sentByBrowser()) passkey!: Record<string, unknown>;
}

/** Shows once more that it is the account's owner who asks. Whoever signed in at a provider just now needs neither. */
export class FreshProof {
  /** The account's password. It is not enough where the account has a second factor and the log-in had none. */
  @Str({ max: 1000, nullable: true }) password: string | null = null;
  /** A code of the authenticator app, or a recovery code. */
  @Str({ max: MAX_CODE, nullable: true }) code: string | null = null;
}

export class PasskeyPath {
  /** Id of the passkey. */
  @Uuid() passkeyId!: string;
}

export class TotpOut {
  @TimeText() created!: string;
  /** When a code of it was used last; null: never. */
  @TimeText({ nullable: true }) lastUsed!: string | null;
}

export class PasskeyOut {
  @Uuid() id!: string;
  @Str() name!: string;
  @TimeText() created!: string;
  /** When it was used last; null: never. */
  @TimeText({ nullable: true }) lastUsed!: string | null;
}

export class SecondFactorOut {
  /** The authenticator app; null: there is none. */
  @Nested(() => TotpOut, { nullable: true }) totp!: TotpOut | null;
  /** At most 20. */
  @ListOf(() => PasskeyOut) passkeys!: PasskeyOut[];
  /** Recovery codes that are not used yet. */
  @Int() recoveryCodesLeft!: number;
  /** Origin at which passkeys can be used; null: nowhere, since the service has no name or no TLS. */
  @Str({ nullable: true }) passkeysAt!: string | null;
  /** Whether this log-in had a second factor, or a provider that vouches for one. */
  @Bool() proved!: boolean;
  /** Whether an org of the caller, or the service of superusers, demands a second factor. */
  @Bool() demanded!: boolean;
}

export class TotpSetupOut {
  /** The secret, base32, for apps that read no QR code. It is shown here and never again. */
  @Str() secret!: string;
  /** `otpauth://totp/…`, which a QR code shows to an app. */
  @Str() uri!: string;
  /** Token that ends the set-up, good for five minutes. Nothing is stored until then. */
  @Str() setup!: string;
}

export class TotpSetupIn {
  /** The token of `…/totp/begin`. */
  @Str({ max: MAX_TOKEN }) setup!: string;
  /** The code that the app shows. */
  @Str({ max: MAX_CODE }) code!: string;
}

export class PasskeySetupOut {
  /** Token that ends the set-up, good for five minutes. Nothing is stored until then. */
  @Str() setup!: string;
  /** WebAuthn's `PublicKeyCredentialCreationOptionsJSON`. */
  @AnyObject() options!: Record<string, unknown>;
}

export class PasskeySetupIn {
  /** The token of `…/passkeys/begin`. */
  @Str({ max: MAX_TOKEN }) setup!: string;
  /** What the browser made of the options (WebAuthn's `RegistrationResponseJSON`). */
  @Of(sentByBrowser()) passkey!: Record<string, unknown>;
  /** What its owner calls it. */
  @Str({ min: 1, max: 100 }) name!: string;
}

export class RecoveryCodesOut {
  /** Ten codes, each good once, with the account's first factor or when they were asked for; else null. Never shown again. */
  @ListOf(str(), { nullable: true }) recoveryCodes!: string[] | null;
}

/** Somebody's account, as a superuser names it. */
export class AccountNamed {
  @Email() email!: string;
}

export class SessionsToEnd {
  /** Whose sessions; null with `everybody`. */
  @Email({ nullable: true }) email: string | null = null;
  /** All sessions of all accounts but the one of this request. */
  @Bool() everybody = false;
}

import { Logger } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
} from 'openid-client';
import type { AddressPolicy } from '../../formats/address/address-policy.js';
import type { Clock } from '../common/clock/clock.js';
import { DomainError } from '../common/errors/domain-error.js';
import type { GuardedClient } from '../common/http/guarded-client.js';
import { minutes } from '../common/units/durations.js';
import { readLogoutToken, type LoggedOut } from './logout-token.js';
import { ProviderExchange, TIMEOUT_MS } from './provider-exchange.js';
import { KnownKeys } from './provider-keys.js';
import type { ClaimSet } from './rules/mapping.js';
import type { ProviderSettings } from './rules/provider-settings.js';
import { strengthIn, type ProvenStrength } from './rules/strength.js';
import { SignInDenied, SignInNotProven, SignInProviderAway } from './sign-in.errors.js';

/** How far the provider's clock may be off. */
const TOLERANCE_SECONDS = 60;
const METADATA_LAST_MS = minutes(10);
/** OpenID Connect Core 2. */
const MAX_SUBJECT = 255;

/** What ties the provider's answer to the request for it. */
export interface Proofs {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A person as a provider has proved them. */
export interface ProvenPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  readonly claims: ClaimSet;
  /** The provider's name for its own session; null where it tells none. */
  readonly session: string | null;
  readonly strength: ProvenStrength;
}

/** Asks one provider, by the guarded client alone. */
export class ProviderClient {
  private readonly logger = new Logger('sign-in');
  private readonly keys: KnownKeys;
  private asking: Promise<ServerMetadata> | null = null;
  private known: { readonly metadata: ServerMetadata; readonly untilMs: number } | null = null;

  constructor(
    readonly settings: ProviderSettings,
    private readonly by: { client: GuardedClient; addresses: AddressPolicy; clock: Clock },
  ) {
    this.keys = new KnownKeys(by.clock);
  }

  /** @returns the provider's address for the person, and what has to be kept until they come back */
  begin(redirectUri: string): Promise<{ url: URL; proofs: Proofs }> {
    return this.exchange(async (exchange) => {
      const proofs = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await this.configuration(exchange), {
        redirect_uri: redirectUri,
        scope: this.settings.scopes.join(' '),
        state: proofs.state,
        nonce: proofs.nonce,
        code_challenge: await calculatePKCECodeChallenge(proofs.verifier),
        code_challenge_method: 'S256',
        ...(this.settings.secondFactor.acr.length > 0 ? { acr_values: this.settings.secondFactor.acr.join(' ') } : {}),
      });
      return { url, proofs };
    });
  }

  /**
   * Exchanges the code for proof of who the person is.
   * @param answered the redirect address with what the provider put behind it
   * @throws SignInDenied, SignInNotProven, SignInProviderAway
   */
  prove(answered: URL, { state, nonce, verifier }: Proofs): Promise<ProvenPerson> {
    return this.exchange(async (exchange) => {
      const config = await this.configuration(exchange);
      const tokens = await authorizationCodeGrant(config, answered, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const proven = tokens.claims();
      if (!proven || proven.sub.length > MAX_SUBJECT) throw new SignInNotProven();
      const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
      const told = hasMore ? await fetchUserInfo(config, tokens.access_token, proven.sub) : {};
      return personOf({ ...proven }, { ...told });
    });
  }

  /** @returns where the person's session at the provider is ended; null where that isn't offered */
  endOfSession(returnTo: string): Promise<URL | null> {
    return this.exchange(async (exchange) => {
      const config = await this.configuration(exchange);
      if (!config.serverMetadata().end_session_endpoint) return null;
      return buildEndSessionUrl(config, { client_id: this.settings.clientId, post_logout_redirect_uri: returnTo });
    });
  }

  /** Whose session the provider says has ended. @throws SignInNotProven, SignInProviderAway */
  loggedOut(token: string): Promise<LoggedOut> {
    return this.exchange(async (exchange) => {
      const { issuer, jwks_uri: keysAt } = await this.metadata(exchange);
      exchange.expectKeysAt(keysAt);
      return readLogoutToken(token, {
        ...{ issuer, audience: this.settings.clientId, now: this.by.clock.now(), toleranceSeconds: TOLERANCE_SECONDS },
        keysWith: (keyId) => exchange.keysWith(keyId),
      });
    });
  }

  private async exchange<T>(work: (exchange: ProviderExchange) => Promise<T>): Promise<T> {
    const exchange = new ProviderExchange(this.by.client, this.by.addresses, this.keys);
    try {
      return await work(exchange);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      // Codes and messages only: the causes hold tokens.
      const { message, code } = error as Error & { code?: string };
      this.logger.warn({
        event: 'sign_in_exchange_failed',
        provider: this.settings.id,
        message,
        code,
        ...exchange.fault,
      });
      if (exchange.fault) throw new SignInProviderAway();
      if (error instanceof AuthorizationResponseError) throw new SignInDenied();
      throw new SignInNotProven();
    }
  }

  /** A new one each time, because the library keeps keys with it that a provider may have replaced. */
  private async configuration(exchange: ProviderExchange): Promise<Configuration> {
    const metadata = await this.metadata(exchange);
    exchange.expectKeysAt(metadata.jwks_uri);
    const config = new Configuration(metadata, this.settings.clientId, this.client(), this.authentication());
    config[customFetch] = exchange.fetch;
    config.timeout = TIMEOUT_MS / 1000;
    enableNonRepudiationChecks(config);
    if (this.isHttp) allowInsecureRequests(config);
    return config;
  }

  /** Parallel sign-ins ask once. */
  private async metadata(exchange: ProviderExchange): Promise<ServerMetadata> {
    if (this.known && this.known.untilMs > this.by.clock.nowMs()) return this.known.metadata;
    this.asking ??= this.discover(exchange).finally(() => (this.asking = null));
    try {
      return await this.asking;
    } catch (error) {
      exchange.fail(error as Error);
      throw error;
    }
  }

  private async discover(exchange: ProviderExchange): Promise<ServerMetadata> {
    const { issuer, clientId } = this.settings;
    const found = await discovery(new URL(issuer), clientId, undefined, None(), {
      [customFetch]: exchange.fetch,
      timeout: TIMEOUT_MS / 1000,
      execute: this.isHttp ? [allowInsecureRequests] : [],
    });
    const metadata = found.serverMetadata();
    if (metadata.issuer !== issuer) throw new TypeError('the issuer calls itself otherwise');
    this.known = { metadata, untilMs: this.by.clock.nowMs() + METADATA_LAST_MS };
    return metadata;
  }

  private client() {
    // The library goes by the machine's clock, the service by the database's.
    // eslint-disable-next-line no-restricted-syntax
    const offSeconds = Math.round((this.by.clock.nowMs() - Date.now()) / 1000);
    return { [clockSkew]: offSeconds, [clockTolerance]: TOLERANCE_SECONDS };
  }

  private authentication() {
    const { clientSecret, clientAuth } = this.settings;
    if (!clientSecret.isSet) return None();
    return (clientAuth === 'post' ? ClientSecretPost : ClientSecretBasic)(clientSecret.reveal());
  }

  /** Only where the settings allow it, which are read so. */
  private get isHttp(): boolean {
    return this.settings.issuer.startsWith('http:');
  }
}

const textOf = (claim: unknown): string | null => (typeof claim === 'string' && claim !== '' ? claim : null);

/** The address and whether it is verified come from one answer, or one could vouch for the other's. */
function personOf(proven: ClaimSet & { iss: string; sub: string }, told: ClaimSet): ProvenPerson {
  const claims = { ...proven, ...told, iss: proven.iss, sub: proven.sub };
  const addressed = textOf(told['email']) ? told : proven;
  return {
    issuer: proven.iss,
    subject: proven.sub,
    email: textOf(addressed['email']),
    isEmailVerified: addressed['email_verified'] === true,
    name: textOf(claims['name' as never]) ?? textOf(claims['preferred_username' as never]),
    claims,
    session: textOf(proven['sid' as never]),
    // As the ID token has it, which is signed for this sign-in.
    strength: strengthIn(proven),
  };
}

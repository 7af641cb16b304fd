import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Passkeys } from '../auth/factors/passkeys.js';
import { SecondStep } from '../auth/factors/second-step.js';
import { Sessions } from '../auth/sessions/sessions.service.js';
import { Tokens } from '../auth/tokens.js';
import { addressOf } from '../common/http/request-address.js';
import { AppConfig } from '../config/app-config.js';
import { Links } from '../links/links.js';
import { AccountsByIdentity } from './accounts-by-identity.js';
import { IdentitiesRepository } from './data/identities.repository.js';
import type { SignInChoicesOut, SignInStartQuery } from './dto/sign-in.dto.js';
import type { HandedSession } from './finish-page.js';
import { Providers } from './providers.js';
import { SignInCookie } from './sign-in-cookie.js';
import { vouchesForFactor } from './rules/strength.js';
import { toldAt } from './sign-in-refusals.js';
import { SignInExpired, SignInSecondFactorNeeded } from './sign-in.errors.js';

/** How sessions began that a provider vouched for. */
const howAt = (provider: string): string => `oidc:${provider}`;

/** Signs people in by providers of OpenID Connect. */
@Injectable()
export class SignIn {
  private readonly logger = new Logger('sign-in');

  constructor(
    private readonly providers: Providers,
    private readonly cookie: SignInCookie,
    private readonly accounts: AccountsByIdentity,
    private readonly identities: IdentitiesRepository,
    private readonly sessions: Sessions,
    private readonly steps: SecondStep,
    private readonly passkeys: Passkeys,
    private readonly tokens: Tokens,
    private readonly links: Links,
    private readonly config: AppConfig,
  ) {}

  choices(): SignInChoicesOut {
    return {
      providers: this.providers.all.map(({ settings: { id, name } }) => ({ id, name })),
      passwordLogin: this.config.auth.passwordLogin,
      passkeysAt: this.passkeys.place?.origin ?? null,
    };
  }

  /** @returns the provider's address @throws SignInProviderNotFound, SignInProviderAway */
  async begin(id: string, { returnTo, client }: SignInStartQuery, request: Request, response: Response): Promise<URL> {
    const provider = this.providers.get(id);
    const redirectUri = `${this.links.inMail(addressOf(request))}/api/auth/oidc/${id}/callback`;
    const { url, proofs } = await provider.begin(redirectUri);
    const isFormerClient = client === 'browsertrix';
    this.cookie.set(response, { provider: id, proofs, redirectUri, returnTo, isFormerClient });
    return url;
  }

  /**
   * Ends the sign-in that this browser began.
   * @throws SignInExpired, SignInDenied, SignInNotProven, SignInProviderAway, SignInNoAccount, SignInAddressUnverified,
   *  SignInAddressTaken, SignInSecondFactorNeeded
   */
  async finish(id: string, request: Request, response: Response): Promise<HandedSession> {
    const provider = this.providers.get(id);
    const begun = this.cookie.read(request);
    if (!begun || begun.provider !== id) throw new SignInExpired();
    const answered = new URL(begun.redirectUri);
    answered.search = new URL(request.originalUrl, begun.redirectUri).search;
    // An answer to another request leaves this one as it is.
    if (answered.searchParams.get('state') !== begun.proofs.state) throw new SignInExpired();
    this.cookie.clear(response, begun);
    if (begun.isFormerClient) toldAt(response, '/log-in');
    const person = await provider.prove(answered, begun.proofs);
    const user = await this.accounts.accountOf(person, provider.settings);
    this.logger.log({ event: 'signed_in', provider: id, userId: user.id });
    const { returnTo, isFormerClient } = begun;
    const { replayOrigin, replayPort } = this.config.http;
    const isShared = replayOrigin !== '' || replayPort !== 0;
    const how = howAt(id);
    const isVouched = vouchesForFactor(provider.settings.secondFactor, person.strength);
    const factor = isVouched ? null : await this.steps.factorOf(user.id);
    const page = { email: user.email, returnTo, isFormerClient, isShared, provider: id };
    if (factor) {
      // The former client knows no second step.
      if (isFormerClient) throw new SignInSecondFactorNeeded();
      const challenge = await this.steps.challenge(user, factor, { how, providerSid: person.session });
      return { token: null, challenge, ...page };
    }
    const beginning = { how, hash: null, request, providerSid: person.session, factor: isVouched ? 'provider' : null };
    const session = await this.sessions.begin(user.id, beginning);
    return { token: await this.tokens.forLogin(user.id, session), challenge: null, ...page };
  }

  /**
   * Ends here what has ended at the provider, as it says itself. Of somebody unknown there is nothing to end.
   * @throws SignInProviderNotFound, SignInNotProven, SignInProviderAway
   */
  async endBehind(id: string, logoutToken: string): Promise<void> {
    const { issuer, subject, session } = await this.providers.get(id).loggedOut(logoutToken);
    const userId = await this.identities.accountOf(issuer, subject);
    if (userId === null) return;
    await this.sessions.endOfProvider(userId, howAt(id), session);
    this.logger.log({ event: 'signed_out_by_provider', provider: id, userId });
  }

  /** @returns where the session at the provider is ended, else the console's page for logging in */
  async end(id: string, request: Request): Promise<string> {
    const back = `${this.links.inMail(addressOf(request))}/login`;
    const url = await this.providers.get(id).endOfSession(back);
    return url?.href ?? '/login';
  }
}

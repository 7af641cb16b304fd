import { Injectable, Logger } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { newId } from '../../common/ids/uuid.js';
import { Links } from '../../links/links.js';
import type { StoredPasskey } from '../../users/data/second-factor.schema.js';
import { passkeyPlace, type PasskeyPlace } from '../rules/passkey-place.js';
import { PasskeysUnavailable } from './factors.errors.js';

/** What a browser sends, which the library reads and refuses. */
type Sent = Readonly<Record<string, unknown>>;
type Named = Pick<StoredPasskey, 'credentialId' | 'transports'>;

const descriptors = (passkeys: readonly Named[]) =>
  passkeys.map(({ credentialId: id, transports }) => ({
    id,
    transports: transports as AuthenticatorTransport[],
  }));

/** Certificates and their formats take as much memory as the rest of accounts; most services never see a passkey. */
const library = () => import('@simplewebauthn/server');

/** Longest names of transports that are kept, and how many. */
const transportsOf = (given: readonly string[] | undefined): string[] =>
  (given ?? []).filter((word) => /^[a-z-]{1,20}$/.test(word)).slice(0, 8);

/** WebAuthn as this service uses it: which options browsers are given, and what their answers prove. */
@Injectable()
export class Passkeys {
  private readonly logger = new Logger('passkeys');

  constructor(private readonly links: Links) {}

  /** Where passkeys can be used; null: nowhere. Headers of a request have no say. */
  get place(): PasskeyPlace | null {
    return passkeyPlace(this.links.settled());
  }

  /** @throws PasskeysUnavailable */
  async toRegister(
    user: { readonly id: string; readonly email: string; readonly name: string },
    known: readonly Named[],
  ): Promise<{ options: object; nonce: string }> {
    const { generateRegistrationOptions } = await library();
    const options = await generateRegistrationOptions({
      rpName: 'Muniment',
      rpID: this.somewhere().domain,
      userID: new Uint8Array(Buffer.from(user.id)),
      userName: user.email,
      userDisplayName: user.name || user.email,
      attestationType: 'none',
      excludeCredentials: descriptors(known),
      // Found by itself, for log-ins without a password. A security key that has no room for it is a second factor.
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    return { options, nonce: options.challenge };
  }

  /** @returns null for what proves nothing @throws PasskeysUnavailable */
  async registered(sent: Sent, nonce: string): Promise<Omit<StoredPasskey, 'name' | 'created'> | null> {
    const { domain, origin } = this.somewhere();
    return this.proven(async () => {
      const { verifyRegistrationResponse } = await library();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: sent as unknown as RegistrationResponseJSON,
        expectedChallenge: nonce,
        expectedOrigin: origin,
        expectedRPID: domain,
        requireUserVerification: false,
      });
      if (!verified) return null;
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      return {
        id: newId(),
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: transportsOf(transports),
        lastUsed: null,
      };
    });
  }

  /** @param known of an account; none: the browser offers those that it finds, and has the person proved @throws PasskeysUnavailable */
  async toProve(known: readonly Named[] | null): Promise<{ options: object; nonce: string }> {
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: this.somewhere().domain,
      ...(known ? { allowCredentials: descriptors(known) } : {}),
      userVerification: known ? 'preferred' : 'required',
    });
    return { options, nonce: options.challenge };
  }

  /** @returns id of the account for which a browser found a passkey by itself; it proves nothing yet */
  accountIn(sent: Sent): string | null {
    const handle = (sent['response'] as Sent | null | undefined)?.['userHandle'];
    return typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString('utf8') : null;
  }

  /**
   * @param isAlone whether it stands for the password as well, so that the authenticator has to know its owner
   * @returns the counter of a passkey of these that has signed the challenge; null for what proves nothing
   * @throws PasskeysUnavailable
   */
  async proved(
    sent: Sent,
    { nonce, isAlone, known }: { nonce: string; isAlone: boolean; known: readonly StoredPasskey[] },
  ): Promise<{ passkey: StoredPasskey; counter: number } | null> {
    const { domain, origin } = this.somewhere();
    const passkey = known.find(({ credentialId }) => credentialId === sent['id']);
    if (!passkey) return null;
    return this.proven(async () => {
      const { verifyAuthenticationResponse } = await library();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: sent as unknown as AuthenticationResponseJSON,
        expectedChallenge: nonce,
        expectedOrigin: origin,
        expectedRPID: domain,
        requireUserVerification: isAlone,
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
      });
      return verified ? { passkey, counter: authenticationInfo.newCounter } : null;
    });
  }

  private somewhere(): PasskeyPlace {
    const { place } = this;
    if (!place) throw new PasskeysUnavailable();
    return place;
  }

  /** Whatever the library refuses, somebody sent. */
  private async proven<T>(look: () => Promise<T | null>): Promise<T | null> {
    try {
      return await look();
    } catch (error) {
      this.logger.warn({ event: 'passkey_refused', message: (error as Error).message });
      return null;
    }
  }
}

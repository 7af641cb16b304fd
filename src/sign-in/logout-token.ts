import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';

/** OpenID Connect Back-Channel Logout 1.0, 2.4. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures by keys that the provider publishes; a shared secret proves nothing about who made a token. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Bounds how long a token that somebody saw ends sessions again. */
const OLDEST = '5 minutes';
/** OpenID Connect Core 2. */
const MAX_NAME = 255;

/** Whose session has ended at a provider. */
export interface LoggedOut {
  readonly issuer: string;
  readonly subject: string;
  /** The provider's name for that session; null: all of the person's. */
  readonly session: string | null;
}

interface Expected {
  readonly issuer: string;
  readonly audience: string;
  readonly now: Date;
  readonly toleranceSeconds: number;
  /** @returns the provider's key set, as JSON */
  readonly keysWith: (keyId: string | null) => Promise<string>;
}

const nameOf = (claim: unknown): string | null =>
  typeof claim === 'string' && claim !== '' && claim.length <= MAX_NAME ? claim : null;

/**
 * Reads a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). One that names a session alone, without the
 * person, is refused: sessions are found by their person.
 * @throws Error for a token that is none, is old, or for somebody else
 */
export async function readLogoutToken(token: string, expected: Expected): Promise<LoggedOut> {
  const { issuer, audience, now, toleranceSeconds, keysWith } = expected;
  const { kid, alg = '' } = decodeProtectedHeader(token);
  if (!ALGORITHMS.includes(alg)) throw new TypeError('no signature that proves anything');
  const keys = createLocalJWKSet(JSON.parse(await keysWith(kid ?? null)) as JSONWebKeySet);
  const { payload } = await jwtVerify(token, keys, {
    ...{ issuer, audience, algorithms: ALGORITHMS, currentDate: now, clockTolerance: toleranceSeconds },
    ...{ maxTokenAge: OLDEST, requiredClaims: ['iat', 'jti', 'sub', 'events'] },
  });
  const events = payload['events'] as Readonly<Record<string, unknown>> | null;
  const isLogout = typeof events === 'object' && events !== null && typeof events[EVENT] === 'object';
  // An ID token has a nonce; a logout token may have none.
  if (!isLogout || events[EVENT] === null || 'nonce' in payload) throw new TypeError('no logout token');
  const [subject, session] = [nameOf(payload.sub), nameOf(payload['sid'])];
  if (subject === null || ('sid' in payload && session === null)) throw new TypeError('names nobody');
  return { issuer, subject, session };
}

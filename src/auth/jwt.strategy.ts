import type { KeyObject } from 'node:crypto';
import { Strategy } from 'passport-jwt';
import type { Request } from 'express';
import { canonicalUuid } from '../common/ids/uuid.js';
import { AUDIENCE } from './token-issuer.js';

/** passport-jwt takes the token from a request; ours comes from the guard, already cut out of it. */
export interface TokenCarrier {
  readonly token: string;
}

interface LoginClaims {
  sub?: unknown;
  /** Subject in tokens of the earlier implementation. */
  user_id?: unknown;
}

/** Id of the user a valid token stands for, or null. Contract: accounts §2.1. */
const subjectOf = ({ sub, user_id }: LoginClaims): string | null => {
  const subject = sub ?? user_id;
  return typeof subject === 'string' ? canonicalUuid(subject) : null;
};

/**
 * Verifies login tokens: HS256, one of the two audiences, `exp` when there is one.
 * @param key a key object, since jsonwebtoken tries to read a text as a public key first, 0.4 ms a request
 * @param seconds the present moment, seconds since 1970
 */
export function jwtStrategy<U extends object>(
  key: KeyObject,
  seconds: number,
  load: (userId: string) => Promise<U | null>,
): Strategy {
  return new Strategy(
    {
      // passport-jwt's types know no key objects, but it hands them on.
      secretOrKey: key as unknown as Buffer,
      algorithms: ['HS256'],
      audience: [...AUDIENCE.login],
      jwtFromRequest: (request: Request) => (request as unknown as TokenCarrier).token,
      jsonWebTokenOptions: { clockTimestamp: seconds },
    },
    (claims: LoginClaims, done) => {
      const userId = subjectOf(claims);
      if (userId === null) return done(null, false);
      load(userId).then(
        (user) => done(null, user ?? false),
        (error: unknown) => done(error, false),
      );
    },
  );
}

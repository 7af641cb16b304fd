import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy, type StrategyOptionsWithRequest, type VerifyCallbackWithRequest } from 'passport-jwt';
import { oidOf } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { tokenOf } from '../common/access/token.js';
import { newId } from '../common/ids/uuid.js';
import { Callers, type LoginUse } from './callers.js';
import { KeyCallers, seenFrom } from './key-callers.js';
import { opensReplay } from './replay-scope.js';
import { Tokens, type Claims } from './tokens.js';

/** Names of strategies. Passport keeps them for the whole process, so each app needs names of its own. */
@Injectable()
export class StrategyNames {
  private readonly app = newId();
  readonly login = `login of ${this.app}`;
  readonly replay = `replay of ${this.app}`;
  readonly key = `login by key of ${this.app}`;
  readonly apiKey = `key of ${this.app}`;
  readonly basic = `password of ${this.app}`;
}

/** passport-jwt under a given name while the app answers requests. */
class AppStrategy extends Strategy implements OnApplicationShutdown {
  constructor(options: StrategyOptionsWithRequest & { readonly name: string }, verify: VerifyCallbackWithRequest) {
    super(options, verify);
    this.name = options.name;
  }

  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }
}

/** What tells callers by claims. */
interface Means {
  readonly tokens: Tokens;
  readonly callers: Callers;
  readonly keys: KeyCallers;
}

/** @returns the caller for whom the claims stand in this request, or null */
type ReadClaims = (means: Means, claims: Claims, request: Request) => Promise<CallerAndOrg | null>;

const found = <T>(named: T | null, find: (named: T) => Promise<CallerAndOrg | null>): Promise<CallerAndOrg | null> =>
  named === null ? Promise.resolve(null) : find(named);

/** What of a request decides about a login. */
const usedFrom = (request: Request): LoginUse => ({ oid: oidOf(request), ip: request.ip ?? '' });

const READ: Readonly<Record<'login' | 'replay' | 'key', ReadClaims>> = {
  /** Claims of a login token. Contract: accounts §2.1. */
  login: ({ tokens, callers }, claims, request) =>
    found(tokens.loginOf(claims), (login) => callers.find(login, usedFrom(request))),
  /** A token for one item or collection stands for the user who asked for it, for these reads only. ADR 0005. */
  replay: ({ tokens, callers }, claims, request) => {
    const replay = tokens.replayOf(claims);
    const login = replay && opensReplay(replay.scope, request) ? replay.login : null;
    return found(login, (of) => callers.find(of, usedFrom(request)));
  },
  /** A token that a login gave for an API key stands for the key, which is read as at its own use. */
  key: ({ tokens, keys }, claims, request) =>
    found(tokens.keyOf(claims), (keyId) => keys.find(keyId, { by: 'token' }, seenFrom(request, oidOf(request)))),
};

/** Finds callers by the tokens of one kind. */
class JwtStrategy extends PassportStrategy(AppStrategy) {
  constructor(
    private readonly kind: keyof typeof READ,
    names: StrategyNames,
    private readonly means: Means,
  ) {
    super({ name: names[kind], ...means.tokens.rulesOf(kind), jwtFromRequest: tokenOf, passReqToCallback: true });
  }

  /** @param claims of a token with a good signature and audience; null when the request has no such token */
  override validate(request: Request, claims: Claims): Promise<CallerAndOrg | null> {
    return READ[this.kind](this.means, claims, request);
  }
}

/** One strategy for each kind of token that opens routes. */
export const jwtStrategies = (['login', 'replay', 'key'] as const).map((kind) => ({
  provide: `jwt strategy: ${kind}`,
  inject: [StrategyNames, Tokens, Callers, KeyCallers],
  useFactory: (names: StrategyNames, tokens: Tokens, callers: Callers, keys: KeyCallers) =>
    new JwtStrategy(kind, names, { tokens, callers, keys }),
}));

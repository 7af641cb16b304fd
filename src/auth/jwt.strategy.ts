import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport from 'passport';
import { Strategy, type StrategyOptionsWithRequest, type VerifyCallbackWithRequest } from 'passport-jwt';
import { oidOf } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { tokenOf } from '../common/access/token.js';
import { newId } from '../common/ids/uuid.js';
import { Callers } from './callers.js';
import { opensReplay } from './replay-scope.js';
import { Tokens, type Claims } from './tokens.js';

/** Names of strategies. Passport keeps them for the whole process, so each app needs names of its own. */
@Injectable()
export class StrategyNames {
  private readonly app = newId();
  readonly login = `login of ${this.app}`;
  readonly replay = `replay of ${this.app}`;
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

/** @returns id of the user for whom the claims stand in this request, or null */
type ReadClaims = (tokens: Tokens, claims: Claims, request: Request) => string | null;

const READ: Readonly<Record<'login' | 'replay', ReadClaims>> = {
  /** Claims of a login token. Contract: accounts §2.1. */
  login: (tokens, claims) => tokens.loginOf(claims),
  /** A token for one item or collection stands for the user who asked for it, for these reads only. ADR 0005. */
  replay: (tokens, claims, request) => {
    const replay = tokens.replayOf(claims);
    return replay && opensReplay(replay.scope, request) ? replay.userId : null;
  },
};

/** Finds callers by the tokens of one kind. */
class JwtStrategy extends PassportStrategy(AppStrategy) {
  constructor(
    private readonly kind: keyof typeof READ,
    names: StrategyNames,
    private readonly tokens: Tokens,
    private readonly callers: Callers,
  ) {
    super({ name: names[kind], ...tokens.rulesOf(kind), jwtFromRequest: tokenOf, passReqToCallback: true });
  }

  /** @param claims of a token with a good signature and audience; null when the request has no such token */
  override async validate(request: Request, claims: Claims): Promise<CallerAndOrg | null> {
    const userId = READ[this.kind](this.tokens, claims, request);
    return userId === null ? null : this.callers.find(userId, oidOf(request));
  }
}

/** One strategy for each kind of token that opens routes. */
export const jwtStrategies = (['login', 'replay'] as const).map((kind) => ({
  provide: `jwt strategy: ${kind}`,
  inject: [StrategyNames, Tokens, Callers],
  useFactory: (names: StrategyNames, tokens: Tokens, callers: Callers) => new JwtStrategy(kind, names, tokens, callers),
}));

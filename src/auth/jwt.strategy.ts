import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { oidOf } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { tokenOf } from '../common/access/token.js';
import { AppStrategy, StrategyNames } from './app-strategy.js';
import { Callers } from './callers.js';
import { Tokens, type Claims } from './tokens.js';

/** Callers by login token. Contract: accounts §2.1. */
@Injectable()
export class JwtStrategy extends PassportStrategy(AppStrategy) {
  constructor(
    names: StrategyNames,
    private readonly tokens: Tokens,
    private readonly callers: Callers,
  ) {
    super({ name: names.login, ...tokens.rulesOf('login'), jwtFromRequest: tokenOf, passReqToCallback: true });
  }

  /** @param claims of a token whose signature and audience are good; null of a request whose token is worth nothing */
  override async validate(request: Request, claims: Claims): Promise<CallerAndOrg | null> {
    const userId = this.tokens.loginOf(claims);
    return userId === null ? null : this.callers.find(userId, oidOf(request));
  }
}

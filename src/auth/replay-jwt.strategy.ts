import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { oidOf } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { tokenOf } from '../common/access/token.js';
import { AppStrategy, StrategyNames } from './app-strategy.js';
import { Callers } from './callers.js';
import { opensReplay } from './replay-scope.js';
import { Tokens, type Claims } from './tokens.js';

/** A token that shows one item or collection stands for the user who asked for it, for these reads only. ADR 0005. */
@Injectable()
export class ReplayJwtStrategy extends PassportStrategy(AppStrategy) {
  constructor(
    names: StrategyNames,
    private readonly tokens: Tokens,
    private readonly callers: Callers,
  ) {
    super({ name: names.replay, ...tokens.rulesOf('replay'), jwtFromRequest: tokenOf, passReqToCallback: true });
  }

  /** @param claims of a token whose signature and audience are good; null of a request that it does not open */
  override async validate(request: Request, claims: Claims): Promise<CallerAndOrg | null> {
    const replay = this.tokens.replayOf(claims);
    return replay && opensReplay(replay.scope, request) ? this.callers.find(replay.userId, oidOf(request)) : null;
  }
}

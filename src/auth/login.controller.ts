import { Body, Controller, Post, Req, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller, Public, RequireUser, type Principal } from '../common/access/access.js';
import { AnyKey } from '../common/access/key-scopes.js';
import { Returns } from '../common/openapi/returns.js';
import { wireTime } from '../common/validation/date-time.js';
import { FormBody } from '../common/validation/body-kind.js';
import { BearerResponse, LoginForm, ReplayTokenIn, ReplayTokenOut } from './dto/auth.dto.js';
import { CurrentAttempt, LockoutGuard } from './lockout.guard.js';
import type { LoginAttempt } from './login-lockout.js';
import { LoginService } from './login.service.js';
import { Tokens } from './tokens.js';

@ApiTags('auth')
@Controller('auth/jwt')
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly tokens: Tokens,
  ) {}

  /**
   * Logs in with address and password, or with an API key: its id as `username`, the key as `password`. The token is
   * then worth what the key is, and ends with it. @throws BadCredentials, PasswordLoginOff, KeyExpired, KeyAddressRefused
   */
  @Post('login')
  @Public()
  @FormBody()
  @UseGuards(LockoutGuard)
  @Returns(BearerResponse)
  logIn(
    @Body() form: LoginForm,
    @CurrentAttempt() attempt: LoginAttempt,
    @Req() request: Request,
  ): Promise<BearerResponse> {
    return this.logins.login(attempt, form.password, request);
  }

  /** Returns a new token for the caller's; an API key itself is none. */
  @Post('refresh')
  @RequireUser()
  @AnyKey()
  @Returns(BearerResponse)
  refreshLogin(@Caller() caller: Principal): Promise<BearerResponse> {
    return this.logins.refresh(caller);
  }

  /** Issues a token for four hours that lets the player read one item or collection only. Addition to the contract. */
  @Post('replay')
  @RequireUser()
  @Returns(ReplayTokenOut)
  async createReplayToken(@Caller() caller: Principal, @Body() scope: ReplayTokenIn): Promise<ReplayTokenOut> {
    const { token, expiresAt } = await this.tokens.forReplay(caller.id, scope);
    return { token, expiresAt: wireTime(expiresAt) };
  }
}

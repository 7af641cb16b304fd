import { Body, Controller, Post, Req, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { NotAudited } from '../audit/not-audited.js';
import { Caller, Public, RequireUser, type Principal } from '../common/access/access.js';
import { AnyKey } from '../common/access/key-scopes.js';
import { tokenOf } from '../common/access/token.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import { wireTime } from '../common/validation/date-time.js';
import { FormBody } from '../common/validation/body-kind.js';
import { BearerResponse, LoginForm, ReplayTokenIn, ReplayTokenOut } from './dto/auth.dto.js';
import { CurrentAttempt, LockoutGuard } from './lockout.guard.js';
import type { LoginAttempt } from './login-lockout.js';
import { LoginService } from './login.service.js';
import { Sessions } from './sessions/sessions.service.js';
import { Tokens } from './tokens.js';

@ApiTags('auth')
@Controller('auth/jwt')
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly tokens: Tokens,
    private readonly sessions: Sessions,
  ) {}

  /**
   * Logs in with address and password, or with an API key: its id as `username`, the key as `password`. The token is
   * then worth what the key is, and ends with it. An account with a second factor is answered 401
   * `second_factor_required` with what the second step needs, `POST /api/auth/jwt/second-step`; a code may come at once, as
   * `otp`. @throws BadCredentials, PasswordLoginOff, SecondFactorRequired, SecondFactorWrong, KeyExpired, KeyAddressRefused
   */
  @Post('login')
  @NotAudited('whom it lets in is told by itself')
  @Public()
  @FormBody()
  @UseGuards(LockoutGuard)
  @Returns(BearerResponse)
  logIn(
    @Body() form: LoginForm,
    @CurrentAttempt() attempt: LoginAttempt,
    @Req() request: Request,
  ): Promise<BearerResponse> {
    return this.logins.login(attempt, { password: form.password, otp: form.otp || null }, request);
  }

  /** Returns a new token for the caller's; an API key itself is none. */
  @Post('refresh')
  @NotAudited('changes nothing, and comes every few minutes')
  @RequireUser()
  @AnyKey()
  @Returns(BearerResponse)
  refreshLogin(@Caller() caller: Principal, @Req() request: Request): Promise<BearerResponse> {
    return this.logins.refresh(caller, request);
  }

  /**
   * Ends the session of the token: this token, those renewed from it and replay tokens open nothing from now on. It
   * succeeds as well where there is nothing to end: no token, one that is over, one that names no session (it stays
   * valid until it is over), an API key. Addition to the contract.
   */
  @Post('logout')
  @NotAudited('a session that ends is told by itself')
  @Public()
  @Returns(SuccessResponse)
  async logOut(@Req() request: Request): Promise<SuccessResponse> {
    await this.sessions.endOf(tokenOf(request));
    return { success: true };
  }

  /** Issues a token for four hours at most (it ends with the caller's session) that lets the player read one item or collection only. Addition to the contract. */
  @Post('replay')
  @NotAudited('changes nothing')
  @RequireUser()
  @Returns(ReplayTokenOut)
  async createReplayToken(@Caller() caller: Principal, @Body() scope: ReplayTokenIn): Promise<ReplayTokenOut> {
    const { token, expiresAt } = await this.tokens.forReplay(caller, scope);
    return { token, expiresAt: wireTime(expiresAt) };
  }
}

import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequireUser, type Principal } from '../../common/access/access.js';
import { KeysMayNot } from '../../common/access/key-scopes.js';
import { Returns } from '../../common/openapi/returns.js';
import { SuccessResponse } from '../../common/responses/responses.dto.js';
import { SessionPath, SessionsOut } from '../dto/sessions.dto.js';
import { Sessions } from './sessions.service.js';

/** The caller's own sessions. Addition to the contract, docs/sessions.md. */
@ApiTags('users')
@Controller('users/me/sessions')
@KeysMayNot()
export class SessionsController {
  constructor(private readonly sessions: Sessions) {}

  /** Lists where the caller is logged in. Tokens that name no session, and API keys, are not in it. */
  @Get()
  @RequireUser()
  @Returns(SessionsOut)
  async listSessions(@Caller() caller: Principal): Promise<SessionsOut> {
    return { items: await this.sessions.list(caller) };
  }

  /** Ends all sessions of the caller but the one of this request. Their tokens open nothing from now on. */
  @Post('end-others')
  @RequireUser()
  @Returns(SuccessResponse)
  async endOtherSessions(@Caller() caller: Principal): Promise<SuccessResponse> {
    await this.sessions.endOthers(caller);
    return { success: true };
  }

  /** Ends a session, also that of this request. Its tokens open nothing from now on. @throws SessionNotFound */
  @Delete(':sessionId')
  @RequireUser()
  @Returns(SuccessResponse, { notFound: true })
  async endSession(@Param() { sessionId }: SessionPath, @Caller() caller: Principal): Promise<SuccessResponse> {
    await this.sessions.end(caller, sessionId);
    return { success: true };
  }
}

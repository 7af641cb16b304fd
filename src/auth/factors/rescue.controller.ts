import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequireSuperuser, type Principal } from '../../common/access/access.js';
import { KeysMayNot } from '../../common/access/key-scopes.js';
import { Returns } from '../../common/openapi/returns.js';
import { SuccessResponse } from '../../common/responses/responses.dto.js';
import { AccountNamed, SessionsToEnd } from '../dto/second-factor.dto.js';
import { Rescue } from './rescue.js';

const SUCCESS: SuccessResponse = { success: true };

/** What superusers do for accounts of others. Addition to the contract, docs/accounts.md. */
@ApiTags('users')
@Controller('users')
@KeysMayNot()
export class RescueController {
  constructor(private readonly rescue: Rescue) {}

  /** Ends the sessions of somebody, or of everybody but the caller's own one. */
  @Post('end-sessions')
  @RequireSuperuser('not_allowed')
  @Returns(SuccessResponse)
  async endSessionsOf(@Caller() caller: Principal, @Body() body: SessionsToEnd): Promise<SuccessResponse> {
    await this.rescue.endSessions(caller, body);
    return SUCCESS;
  }

  /** Removes the second factors of somebody who has lost them, and ends their sessions. They are told by mail. */
  @Post('remove-second-factor')
  @RequireSuperuser('not_allowed')
  @Returns(SuccessResponse)
  async removeSecondFactorOf(@Body() { email }: AccountNamed): Promise<SuccessResponse> {
    await this.rescue.removeSecondFactor(email);
    return SUCCESS;
  }
}

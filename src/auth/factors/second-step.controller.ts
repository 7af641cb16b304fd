import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { NotAudited } from '../../audit/not-audited.js';
import { Public } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import { BearerResponse } from '../dto/auth.dto.js';
import { PasskeyChallengeOut, PasskeyLoginIn, SecondStepIn } from '../dto/second-factor.dto.js';
import { LoginService } from '../login.service.js';
import { SecondStep } from './second-step.js';

/** Log-ins that take more than a password, or none. Addition to the contract, docs/second-factor.md. */
@ApiTags('auth')
@Controller('auth')
@Public()
export class SecondStepController {
  constructor(
    private readonly steps: SecondStep,
    private readonly logins: LoginService,
  ) {}

  /** Ends a log-in that was answered `second_factor_required`, by a code or a passkey. */
  @Post('jwt/second-step')
  @NotAudited('whom it lets in is told by itself')
  @Returns(BearerResponse)
  async finishLogIn(@Body() body: SecondStepIn, @Req() request: Request): Promise<BearerResponse> {
    return this.logins.bearer(await this.steps.finish(body, request));
  }

  /** Gives the options with which a browser finds a passkey for a log-in without a password. */
  @Post('passkey/options')
  @NotAudited('changes nothing')
  @Returns(PasskeyChallengeOut)
  getPasskeyOptions(): Promise<PasskeyChallengeOut> {
    return this.steps.passkeyOptions();
  }

  /** Logs in by a passkey alone; the authenticator has to have made sure of its owner. */
  @Post('passkey/login')
  @NotAudited('whom it lets in is told by itself')
  @Returns(BearerResponse)
  async logInByPasskey(@Body() body: PasskeyLoginIn, @Req() request: Request): Promise<BearerResponse> {
    return this.logins.bearer(await this.steps.byPasskey(body, request));
  }
}

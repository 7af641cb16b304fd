import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller, RequireUser, type Principal } from '../../common/access/access.js';
import { KeysMayNot } from '../../common/access/key-scopes.js';
import { Returns } from '../../common/openapi/returns.js';
import { SuccessResponse } from '../../common/responses/responses.dto.js';
import {
  FreshProof,
  PasskeyPath,
  PasskeySetupIn,
  PasskeySetupOut,
  RecoveryCodesOut,
  SecondFactorOut,
  TotpSetupIn,
  TotpSetupOut,
} from '../dto/second-factor.dto.js';
import { OwnFactors } from './own-factors.js';

const SUCCESS: SuccessResponse = { success: true };

/** The caller's second factors. Addition to the contract, docs/second-factor.md. */
@ApiTags('users')
@Controller('users/me/second-factor')
@KeysMayNot()
export class OwnFactorsController {
  constructor(private readonly factors: OwnFactors) {}

  /** Shows what the caller has beside a password. */
  @Get()
  @RequireUser()
  @Returns(SecondFactorOut)
  getSecondFactor(@Caller() caller: Principal): Promise<SecondFactorOut> {
    return this.factors.show(caller);
  }

  /** Draws a secret for an authenticator app, which counts once `…/totp` has had a code of it. */
  @Post('totp/begin')
  @RequireUser()
  @Returns(TotpSetupOut)
  beginTotp(@Caller() caller: Principal, @Body() proof: FreshProof, @Req() request: Request): Promise<TotpSetupOut> {
    return this.factors.beginTotp(caller, proof, request);
  }

  /** Ends the set-up of an authenticator app. The first factor of an account ends its other sessions. */
  @Post('totp')
  @RequireUser()
  @Returns(RecoveryCodesOut)
  endTotp(@Caller() caller: Principal, @Body() body: TotpSetupIn): Promise<RecoveryCodesOut> {
    return this.factors.endTotp(caller, body);
  }

  /** Removes the authenticator app, and ends the other sessions. */
  @Post('totp/remove')
  @RequireUser()
  @Returns(SuccessResponse)
  async removeTotp(
    @Caller() caller: Principal,
    @Body() proof: FreshProof,
    @Req() request: Request,
  ): Promise<SuccessResponse> {
    await this.factors.removeTotp(caller, proof, request);
    return SUCCESS;
  }

  /** Gives the options with which a browser makes a passkey. */
  @Post('passkeys/begin')
  @RequireUser()
  @Returns(PasskeySetupOut)
  beginPasskey(
    @Caller() caller: Principal,
    @Body() proof: FreshProof,
    @Req() request: Request,
  ): Promise<PasskeySetupOut> {
    return this.factors.beginPasskey(caller, proof, request);
  }

  /** Keeps the passkey that a browser has made. The first factor of an account ends its other sessions. */
  @Post('passkeys')
  @RequireUser()
  @Returns(RecoveryCodesOut)
  endPasskey(@Caller() caller: Principal, @Body() body: PasskeySetupIn): Promise<RecoveryCodesOut> {
    return this.factors.endPasskey(caller, body);
  }

  /** Removes a passkey, and ends the other sessions. */
  @Post('passkeys/:passkeyId/remove')
  @RequireUser()
  @Returns(SuccessResponse)
  async removePasskey(
    @Param() { passkeyId }: PasskeyPath,
    @Caller() caller: Principal,
    @Body() proof: FreshProof,
    @Req() request: Request,
  ): Promise<SuccessResponse> {
    await this.factors.removePasskey(caller, passkeyId, proof, request);
    return SUCCESS;
  }

  /** Replaces the recovery codes. */
  @Post('recovery-codes')
  @RequireUser()
  @Returns(RecoveryCodesOut)
  renewRecoveryCodes(
    @Caller() caller: Principal,
    @Body() proof: FreshProof,
    @Req() request: Request,
  ): Promise<RecoveryCodesOut> {
    return this.factors.renewRecovery(caller, proof, request);
  }
}

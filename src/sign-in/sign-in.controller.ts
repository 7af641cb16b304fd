import { Body, Controller, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { NotAudited } from '../audit/not-audited.js';
import { Public } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import { FormBody } from '../common/validation/body-kind.js';
import { str } from '../common/validation/scalars.js';
import { LogoutForm, SignInChoicesOut, SignInPath, SignInStartQuery } from './dto/sign-in.dto.js';
import { FINISH_SCRIPT, sendFinishPage } from './finish-page.js';
import { SignInRefusals } from './sign-in-refusals.js';
import { SignIn } from './sign-in.service.js';

const UNTRACED = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** Sign-in by providers of OpenID Connect. Addition to the contract, docs/sign-in.md. */
@ApiTags('auth')
@Controller('auth/oidc')
@Public()
export class SignInController {
  constructor(private readonly signIn: SignIn) {}

  /** Says where people may sign in. */
  @Get()
  @Returns(SignInChoicesOut)
  getSignInChoices(): SignInChoicesOut {
    return this.signIn.choices();
  }

  /** The script of the page at which a sign-in ends. */
  @Get('finish.js')
  @Returns(str(), { contentType: 'text/javascript' })
  getSignInScript(@Res() response: Response): void {
    response.set('X-Content-Type-Options', 'nosniff').type('text/javascript').send(FINISH_SCRIPT);
  }

  /** Leads a browser to the provider. @throws SignInProviderNotFound, SignInProviderAway */
  @Get(':id/start')
  @UseFilters(SignInRefusals)
  @ApiResponse({ status: 303, description: 'The address of the provider.' })
  async startSignIn(
    @Param() { id }: SignInPath,
    @Query() query: SignInStartQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const url = await this.signIn.begin(id, query, request, response);
    response.set(UNTRACED).redirect(303, url.href);
  }

  /**
   * Takes a browser back from the provider, and answers a page that hands the session to the client.
   * @throws SignInProviderNotFound, SignInExpired, SignInDenied, SignInNotProven, SignInProviderAway, SignInNoAccount,
   *  SignInAddressUnverified, SignInAddressTaken, SignInSecondFactorNeeded
   */
  @Get(':id/callback')
  @UseFilters(SignInRefusals)
  @Returns(str(), { contentType: 'text/html' })
  async finishSignIn(@Param() { id }: SignInPath, @Req() request: Request, @Res() response: Response): Promise<void> {
    sendFinishPage(response, await this.signIn.finish(id, request, response));
  }

  /**
   * Ends the sessions of somebody whose session at the provider has ended, as the provider tells (OpenID Connect
   * Back-Channel Logout 1.0). Of somebody unknown it succeeds as well.
   * @throws SignInProviderNotFound, SignInNotProven, SignInProviderAway
   */
  @Post(':id/backchannel-logout')
  @NotAudited('sessions that end are told by themselves')
  @FormBody()
  @Returns(SuccessResponse)
  async endSignInBehind(
    @Param() { id }: SignInPath,
    @Body() { logout_token: token }: LogoutForm,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SuccessResponse> {
    response.set('Cache-Control', 'no-store');
    await this.signIn.endBehind(id, token);
    return { success: true };
  }

  /** Leads a browser that has logged out to where its session at the provider ends. */
  @Get(':id/end')
  @UseFilters(SignInRefusals)
  @ApiResponse({ status: 303, description: 'The address of the provider, or the page for logging in.' })
  async endSignIn(@Param() { id }: SignInPath, @Req() request: Request, @Res() response: Response): Promise<void> {
    response.set(UNTRACED).redirect(303, await this.signIn.end(id, request));
  }
}

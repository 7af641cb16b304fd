import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { NotAudited } from '../audit/not-audited.js';
import { Public } from '../common/access/access.js';
import { ClientAddress } from '../common/http/request-address.js';
import { MailOrigin } from '../links/origins.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import { UserOut } from '../users/dto/users.dto.js';
import { AccountMails } from './account-mails.js';
import {
  Body_forgot_password_api_auth_forgot_password_post,
  Body_request_verify_token_api_auth_request_verify_token_post,
  Body_reset_password_api_auth_reset_password_post,
  Body_verify_api_auth_verify_post,
  UserCreate,
} from './dto/auth.dto.js';
import { LoginService } from './login.service.js';
import { PasswordsService } from './passwords.service.js';
import { RegistrationService } from './registration.service.js';
import { VerificationService } from './verification.service.js';

const SUCCESS: SuccessResponse = { success: true };

@ApiTags('auth')
@Controller('auth')
export class RegistrationController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly verification: VerificationService,
    private readonly passwords: PasswordsService,
    private readonly logins: LoginService,
    private readonly mails: AccountMails,
  ) {}

  /** Registers an account, where everybody may or by an invite. */
  @Post('register')
  @NotAudited('who registered is told by itself')
  @Public()
  @Returns(UserOut, { status: 201 })
  async registerUser(
    @Body() body: UserCreate,
    @ClientAddress() client: string,
    @MailOrigin() origin: string,
  ): Promise<UserOut> {
    const { user, needsVerification } = await this.registration.register(body, client);
    if (needsVerification) await this.mails.verifyEmail(user, origin);
    return this.logins.userOut(user.id);
  }

  /** Sends a mail to set a new password. The answer is the same for unknown addresses. */
  @Post('forgot-password')
  @NotAudited('changes nothing, and strangers may ask for anything')
  @Public()
  @Returns(SuccessResponse, { status: 202 })
  async requestPasswordReset(
    @Body() { email }: Body_forgot_password_api_auth_forgot_password_post,
    @MailOrigin() origin: string,
  ): Promise<SuccessResponse> {
    await this.passwords.forgot(email, origin);
    return SUCCESS;
  }

  /** Sets a new password with the token of the mail. */
  @Post('reset-password')
  @NotAudited('a password that was reset is told by itself')
  @Public()
  @Returns(SuccessResponse)
  async resetPassword(@Body() body: Body_reset_password_api_auth_reset_password_post): Promise<SuccessResponse> {
    await this.passwords.reset(body);
    return SUCCESS;
  }

  /** Sends the mail that verifies an address again. */
  @Post('request-verify-token')
  @NotAudited('changes nothing, and strangers may ask for anything')
  @Public()
  @Returns(SuccessResponse, { status: 202 })
  async requestVerifyToken(
    @Body() { email }: Body_request_verify_token_api_auth_request_verify_token_post,
    @MailOrigin() origin: string,
  ): Promise<SuccessResponse> {
    await this.verification.request(email, origin);
    return SUCCESS;
  }

  /** Verifies an address with the token of the mail. */
  @Post('verify')
  @NotAudited('an address that was verified is told by itself')
  @Public()
  @Returns(SuccessResponse)
  async verifyUser(@Body() { token }: Body_verify_api_auth_verify_post): Promise<SuccessResponse> {
    await this.verification.verify(token);
    return SUCCESS;
  }
}

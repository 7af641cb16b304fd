import { Body, Controller, Get, Patch, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequireUser, type Principal } from '../common/access/access.js';
import { AnyKey } from '../common/access/key-scopes.js';
import { Returns } from '../common/openapi/returns.js';
import { UpdatedResponse } from '../common/responses/responses.dto.js';
import { UserOut, UserUpdateEmailName, UserUpdatePassword } from '../users/dto/users.dto.js';
import { AccountService } from './account.service.js';
import { ChangePassword } from './dto/auth.dto.js';
import { LoginService } from './login.service.js';
import { PasswordsService } from './passwords.service.js';

const UPDATED: UpdatedResponse = { updated: true };

@ApiTags('users')
@Controller('users/me')
export class CurrentUserController {
  constructor(
    private readonly logins: LoginService,
    private readonly accounts: AccountService,
    private readonly passwords: PasswordsService,
  ) {}

  /** Returns the caller's account with their orgs. */
  @Get()
  @RequireUser()
  @AnyKey()
  @Returns(UserOut)
  getCurrentUser(@Caller() caller: Principal): Promise<UserOut> {
    return this.logins.me(caller);
  }

  /** Changes the caller's name or address. A new address has to be verified. A password that is given has to be right. */
  @Patch()
  @RequireUser()
  @Returns(UpdatedResponse)
  async update(@Caller() caller: Principal, @Body() body: UserUpdateEmailName): Promise<UpdatedResponse> {
    await this.accounts.update(caller, body);
    return UPDATED;
  }

  /** Changes the caller's password. */
  @Put('password-change')
  @RequireUser()
  @Returns(UpdatedResponse)
  async changePassword(@Caller() caller: Principal, @Body() body: UserUpdatePassword): Promise<UpdatedResponse> {
    await this.passwords.change(caller, body);
    return UPDATED;
  }

  /** Changes the password at the path that the seed names; same as `password-change`. */
  @Put('change-password')
  @RequireUser()
  @Returns(UpdatedResponse)
  async changeOwnPassword(@Caller() caller: Principal, @Body() body: ChangePassword): Promise<UpdatedResponse> {
    await this.passwords.change(caller, body);
    return UPDATED;
  }
}

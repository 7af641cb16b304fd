import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Public, RequireSuperuser, RequireUser, type Principal } from '../../common/access/access.js';
import { KeysMayNot } from '../../common/access/key-scopes.js';
import { Returns } from '../../common/openapi/returns.js';
import { PageQuery, type ListPage } from '../../common/pagination/page.js';
import {
  InviteOut,
  InviteEmailQuery,
  InviteTokenPath,
  PaginatedInvitePendingResponse,
} from '../../invites/dto/invites.dto.js';
import { PaginatedUserOutResponse, UserOutNoId } from '../../users/dto/users.dto.js';
import { OrgInvites } from './org-invites.js';
import { UserDirectory } from './user-directory.js';

/** Routes that show invites to their invitees, and list invites and accounts for superusers. */
@Controller('users')
export class UserDirectoryController {
  constructor(
    private readonly invites: OrgInvites,
    private readonly directory: UserDirectory,
  ) {}

  /** Returns an invite to somebody without an account. */
  @ApiTags('invites')
  @Get('invite/:token')
  @ApiTags('invites', 'users')
  @Public()
  @Returns(InviteOut)
  getInvite(@Param() { token }: InviteTokenPath, @Query() { email }: InviteEmailQuery): Promise<InviteOut> {
    return this.invites.show(token, { email });
  }

  /** Returns an invite to the caller. */
  @ApiTags('invites')
  @Get('me/invite/:token')
  @KeysMayNot()
  @ApiTags('invites', 'users')
  @RequireUser()
  @Returns(InviteOut)
  getOwnInvite(@Param() { token }: InviteTokenPath, @Caller() caller: Principal): Promise<InviteOut> {
    return this.invites.show(token, caller);
  }

  /** Lists the open invites to all orgs. */
  @ApiTags('invites')
  @Get('invites')
  @ApiTags('invites', 'users')
  @RequireSuperuser('not_allowed')
  @Returns(PaginatedInvitePendingResponse)
  listAllInvites(@Query() query: PageQuery): Promise<ListPage<InviteOut>> {
    return this.invites.listAcrossOrgs(query);
  }

  /** Lists all accounts with their orgs. */
  @Get('emails')
  @ApiTags('users')
  @RequireSuperuser('not_allowed')
  @Returns(PaginatedUserOutResponse)
  listUserEmails(@Query() query: PageQuery): Promise<ListPage<UserOutNoId>> {
    return this.directory.list(query);
  }
}

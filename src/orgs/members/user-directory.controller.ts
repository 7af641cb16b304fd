import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Public, RequireSuperuser, RequireUser, type Principal } from '../../common/access/access.js';
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

  @ApiTags('invites')
  @Get('invite/:token')
  @ApiTags('invites', 'users')
  @Public()
  @Returns(InviteOut)
  invite(@Param() { token }: InviteTokenPath, @Query() { email }: InviteEmailQuery): Promise<InviteOut> {
    return this.invites.show(token, { email });
  }

  @ApiTags('invites')
  @Get('me/invite/:token')
  @ApiTags('invites', 'users')
  @RequireUser()
  @Returns(InviteOut)
  ownInvite(@Param() { token }: InviteTokenPath, @Caller() caller: Principal): Promise<InviteOut> {
    return this.invites.show(token, caller);
  }

  @ApiTags('invites')
  @Get('invites')
  @ApiTags('invites', 'users')
  @RequireSuperuser('not_allowed')
  @Returns(PaginatedInvitePendingResponse)
  allInvites(@Query() query: PageQuery): Promise<ListPage<InviteOut>> {
    return this.invites.listAcrossOrgs(query);
  }

  @Get('emails')
  @ApiTags('users')
  @RequireSuperuser('not_allowed')
  @Returns(PaginatedUserOutResponse)
  emails(@Query() query: PageQuery): Promise<ListPage<UserOutNoId>> {
    return this.directory.list(query);
  }
}

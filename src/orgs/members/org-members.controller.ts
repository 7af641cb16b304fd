import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Caller,
  CurrentOrg,
  RequireRole,
  RequireSuperuser,
  RequireUser,
  type Principal,
} from '../../common/access/access.js';
import { KeysMayNot } from '../../common/access/key-scopes.js';
import { MailOrigin } from '../../links/origins.js';
import { Returns } from '../../common/openapi/returns.js';
import { PageQuery, type ListPage } from '../../common/pagination/page.js';
import { AddedResponse, RemovedResponse, UpdatedResponse } from '../../common/responses/responses.dto.js';
import { InviteOut, InviteTokenPath, PaginatedInvitePendingResponse } from '../../invites/dto/invites.dto.js';
import type { Org } from '../data/org.schema.js';
import {
  AddToOrgRequest,
  InviteToOrgRequest,
  OrgAcceptInviteResponse,
  OrgDeleteInviteResponse,
  OrgInviteResponse,
  RemoveFromOrg,
  RemovePendingInvite,
  UpdateRole,
} from '../dto/org-members.dto.js';
import { OrgPath } from '../dto/orgs.dto.js';
import { Membership } from './membership.js';
import { NewMembers } from './new-members.js';
import { OrgInvites } from './org-invites.js';
import { OrgReader } from '../org-reader.js';
import { roleIn } from '../org-resolver.js';

@ApiTags('invites')
@Controller('orgs')
export class OrgMembersController {
  constructor(
    private readonly invites: OrgInvites,
    private readonly members: Membership,
    private readonly newMembers: NewMembers,
    private readonly reader: OrgReader,
  ) {}

  /** Makes the caller a member of the org that the invite is for. */
  @Post('invite-accept/:token')
  @KeysMayNot()
  @RequireUser()
  @Returns(OrgAcceptInviteResponse)
  async acceptInvite(
    @Param() { token }: InviteTokenPath,
    @Caller() caller: Principal,
  ): Promise<OrgAcceptInviteResponse> {
    const org = await this.invites.accept(token, caller);
    return { added: true, org: await this.reader.summary(org, roleIn(org, caller)) };
  }

  /** Invites somebody to the org by mail. */
  @Post(':oid/invite')
  @RequireRole('owner')
  @Returns(OrgInviteResponse, { notFound: true })
  async inviteToOrg(
    @Param() _path: OrgPath,
    @Body() body: InviteToOrgRequest,
    @CurrentOrg() org: Org,
    @Caller() caller: Principal,
    @MailOrigin() origin: string,
  ): Promise<OrgInviteResponse> {
    const { invited, token } = await this.invites.invite(org, caller, { ...body, origin });
    return { invited, token };
  }

  /** Lists the org's open invites. */
  @Get(':oid/invites')
  @RequireRole('owner')
  @Returns(PaginatedInvitePendingResponse, { notFound: true })
  listOrgInvites(@Param() { oid }: OrgPath, @Query() query: PageQuery): Promise<ListPage<InviteOut>> {
    return this.invites.listForOrg(oid, query);
  }

  /** Deletes the open invites of an address. */
  @Post(':oid/invites/delete')
  @RequireRole('owner')
  @Returns(OrgDeleteInviteResponse, { notFound: true })
  async deleteOrgInvite(
    @Param() { oid }: OrgPath,
    @Body() { email }: RemovePendingInvite,
  ): Promise<OrgDeleteInviteResponse> {
    return { removed: true, count: await this.invites.delete(oid, email) };
  }

  /** Removes a member from the org. */
  @Post(':oid/remove')
  @RequireRole('owner')
  @Returns(RemovedResponse, { notFound: true })
  async removeOrgMember(
    @Param() _path: OrgPath,
    @Body() { email }: RemoveFromOrg,
    @CurrentOrg() org: Org,
    @Caller() caller: Principal,
  ): Promise<RemovedResponse> {
    await this.members.remove(org, caller, email);
    return { removed: true };
  }

  /** Creates an account and makes it a member of the org. */
  @Post(':oid/add-user')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(AddedResponse, { notFound: true })
  async addOrgMember(@Param() { oid }: OrgPath, @Body() body: AddToOrgRequest): Promise<AddedResponse> {
    await this.newMembers.add(oid, body);
    return { added: true };
  }
}

@ApiTags('organizations')
@Controller('orgs/:oid')
export class OrgRolesController {
  constructor(private readonly members: Membership) {}

  /** Changes the role of a member. */
  @Patch('user-role')
  @RequireRole('owner')
  @Returns(UpdatedResponse, { notFound: true })
  async changeOrgRole(
    @Param() _path: OrgPath,
    @Body() { email, role }: UpdateRole,
    @CurrentOrg() org: Org,
    @Caller() caller: Principal,
  ): Promise<UpdatedResponse> {
    await this.members.changeRole(org, caller, email, role);
    return { updated: true };
  }
}

import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  Caller,
  CurrentOrgAccess,
  RequireRole,
  RequireSharedSecret,
  RequireSuperuser,
  RequireUser,
  type OrgAccess,
  type Principal,
} from '../common/access/access.js';
import { MailOrigin } from '../links/origins.js';
import { Returns } from '../common/openapi/returns.js';
import type { ListPage } from '../common/pagination/page.js';
import { AddedResponseId, SuccessResponse } from '../common/responses/responses.dto.js';
import { list } from '../common/validation/composites.js';
import { written } from '../common/validation/kind.js';
import type { Org } from './data/org.schema.js';
import { FeatureFlagStats } from './dto/org-settings.dto.js';
import {
  OrgCreate,
  OrgOut,
  OrgListQuery,
  OrgPath,
  OrgSlugsResponse,
  PaginatedOrgOutResponse,
  PlansResponse,
} from './dto/orgs.dto.js';
import { OrgAdmin } from './settings/org-admin.js';
import { OrgsByRequest } from './lifecycle/org-creation.js';
import { OrgReader } from './org-reader.js';
import { OrgSettings } from './settings/org-settings.js';
import { Plans } from './plans.js';

/** An object with a slug for each org id. */
const slugByOrg = written(() => ({
  additionalProperties: { type: 'string' },
  propertyNames: { format: 'uuid' },
  type: 'object',
}));

/** The answer to a creation. If somebody was invited, `invited` says whether the address had an account. */
export type CreatedResponse = AddedResponseId & { invited?: 'new_user' | 'existing_user'; token?: string };

@ApiTags('organizations')
@Controller('orgs')
export class OrgsController {
  constructor(
    private readonly reader: OrgReader,
    private readonly creation: OrgsByRequest,
    private readonly plans: Plans,
    private readonly admin: OrgAdmin,
    private readonly settings: OrgSettings,
  ) {}

  @Get()
  @RequireUser()
  @Returns(PaginatedOrgOutResponse)
  list(@Caller() caller: Principal, @Query() query: OrgListQuery): Promise<ListPage<OrgOut>> {
    return this.reader.list(caller, query);
  }

  @Post('create')
  @RequireSharedSecret('org-create')
  @Returns(AddedResponseId)
  async create(
    @Caller() caller: Principal,
    @Body() body: OrgCreate,
    @MailOrigin() origin: string,
  ): Promise<CreatedResponse> {
    const { org, invited } = await this.creation.create(caller, body, origin);
    return { added: true, id: org._id, ...(invited ? { invited: invited.invited, token: invited.token } : {}) };
  }

  @Get('plans')
  @RequireSuperuser()
  @Returns(PlansResponse)
  listPlans(): PlansResponse {
    return { plans: this.plans.list() };
  }

  @Get('feature-flags')
  @RequireSuperuser()
  @Returns(list(() => FeatureFlagStats))
  featureFlags(): Promise<FeatureFlagStats[]> {
    return this.admin.featureFlags();
  }

  @Get('slugs')
  @RequireSuperuser()
  @Returns(OrgSlugsResponse)
  async slugs(): Promise<OrgSlugsResponse> {
    return { slugs: await this.admin.slugs() };
  }

  @Get('slug-lookup')
  @RequireSuperuser()
  @Returns(slugByOrg)
  slugLookup(): Promise<Record<string, string>> {
    return this.admin.slugLookup();
  }

  @Post('clear-presigned-urls')
  @RequireSuperuser()
  @Returns(SuccessResponse)
  async clearPresignedUrls(): Promise<SuccessResponse> {
    await this.settings.clearPresignedUrls(null);
    return { success: true };
  }

  @Get(':oid')
  @RequireRole('viewer')
  @Returns(OrgOut, { notFound: true })
  get(@Param() _path: OrgPath, @CurrentOrgAccess() access: OrgAccess<Org>): Promise<OrgOut> {
    return this.reader.detail(access);
  }
}

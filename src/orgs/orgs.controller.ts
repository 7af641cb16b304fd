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
import { AnyKey } from '../common/access/key-scopes.js';
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

  /** Lists the caller's orgs; a superuser's are all. */
  @Get()
  @RequireUser()
  @AnyKey()
  @Returns(PaginatedOrgOutResponse)
  list(@Caller() caller: Principal, @Query() query: OrgListQuery): Promise<ListPage<OrgOut>> {
    return this.reader.list(caller, query);
  }

  /** Creates an org, and invites its first owner if an address is given. */
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

  /** Lists the plans of the deployment. */
  @Get('plans')
  @RequireSuperuser()
  @Returns(PlansResponse)
  listPlans(): PlansResponse {
    return { plans: this.plans.list() };
  }

  /** Lists the feature flags with the number of orgs that have them. */
  @Get('feature-flags')
  @RequireSuperuser()
  @Returns(list(() => FeatureFlagStats))
  listFeatureFlags(): Promise<FeatureFlagStats[]> {
    return this.admin.featureFlags();
  }

  /** Lists the names of all orgs in URLs. */
  @Get('slugs')
  @RequireSuperuser()
  @Returns(OrgSlugsResponse)
  async listOrgSlugs(): Promise<OrgSlugsResponse> {
    return { slugs: await this.admin.slugs() };
  }

  /** Returns the name in URLs of each org, by its id. */
  @Get('slug-lookup')
  @RequireSuperuser()
  @Returns(slugByOrg)
  lookUpOrgSlugs(): Promise<Record<string, string>> {
    return this.admin.slugLookup();
  }

  /** Forgets the presigned URLs of all orgs; they are made anew when asked for. */
  @Post('clear-presigned-urls')
  @RequireSuperuser()
  @Returns(SuccessResponse)
  async clearAllPresignedUrls(): Promise<SuccessResponse> {
    await this.settings.clearPresignedUrls(null);
    return { success: true };
  }

  /** Returns an org. */
  @Get(':oid')
  @RequireRole('viewer')
  @Returns(OrgOut, { notFound: true })
  get(@Param() _path: OrgPath, @CurrentOrgAccess() access: OrgAccess<Org>): Promise<OrgOut> {
    return this.reader.detail(access);
  }
}

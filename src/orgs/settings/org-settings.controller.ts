import { Body, Controller, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentOrg, RequireRole, RequireSuperuser } from '../../common/access/access.js';
import { StatedOrigin } from '../../links/origins.js';
import { Returns } from '../../common/openapi/returns.js';
import { UpdatedResponse } from '../../common/responses/responses.dto.js';
import { anything } from '../../common/validation/scalars.js';
import type { Org } from '../data/org.schema.js';
import {
  CrawlConfigDefaults,
  FeatureFlagsPartial,
  OrgProxies,
  OrgQuotasIn,
  OrgReadOnlyOnCancel,
  OrgReadOnlyUpdate,
  OrgWebhookUrls,
  RenameOrg,
  UpdateOrgNote,
} from '../dto/org-settings.dto.js';
import { OrgPublicProfileUpdate, OrgPath } from '../dto/orgs.dto.js';
import { OrgSettings } from './org-settings.js';
import { OrgUsage } from '../org-usage.js';
import { assertQuotas } from '../rules/quota.rules.js';

const UPDATED: UpdatedResponse = { updated: true };

@ApiTags('organizations')
@Controller('orgs/:oid')
export class OrgSettingsController {
  constructor(
    private readonly settings: OrgSettings,
    private readonly usage: OrgUsage,
  ) {}

  @Post('rename')
  @RequireRole('owner')
  @Returns(UpdatedResponse, { notFound: true })
  async rename(@Param() _path: OrgPath, @CurrentOrg() org: Org, @Body() body: RenameOrg): Promise<UpdatedResponse> {
    await this.settings.rename(org, body);
    return UPDATED;
  }

  @Post('quotas')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setQuotas(@Param() { oid }: OrgPath, @Body() body: OrgQuotasIn): Promise<UpdatedResponse> {
    assertQuotas(body, ['body']);
    await this.usage.changeQuotas(oid, body, { mode: 'set' });
    return UPDATED;
  }

  @Post('proxies')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setProxies(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: OrgProxies,
  ): Promise<UpdatedResponse> {
    await this.settings.setProxies(org, body);
    return UPDATED;
  }

  @Post('feature-flags')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setFeatureFlags(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: FeatureFlagsPartial,
  ): Promise<UpdatedResponse> {
    await this.settings.setFeatureFlags(org, body);
    return UPDATED;
  }

  @Post('read-only')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setReadOnly(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: OrgReadOnlyUpdate,
  ): Promise<UpdatedResponse> {
    await this.settings.setReadOnly(org, body);
    return UPDATED;
  }

  @Post('read-only-on-cancel')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setReadOnlyOnCancel(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: OrgReadOnlyOnCancel,
  ): Promise<UpdatedResponse> {
    await this.settings.setReadOnlyOnCancel(org, body.readOnlyOnCancel);
    return UPDATED;
  }

  @ApiTags('collections')
  @Post('public-profile')
  @ApiTags('collections')
  @RequireRole('owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setPublicProfile(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: OrgPublicProfileUpdate,
  ): Promise<UpdatedResponse> {
    await this.settings.setPublicProfile(org, body);
    return UPDATED;
  }

  @Post('event-webhook-urls')
  @RequireRole('owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setWebhookUrls(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: OrgWebhookUrls,
    @StatedOrigin() origin: string,
  ): Promise<UpdatedResponse> {
    await this.settings.setWebhookUrls(org, body, origin);
    return UPDATED;
  }

  @Post('defaults/crawling')
  @RequireRole('owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setCrawlingDefaults(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: CrawlConfigDefaults,
  ): Promise<UpdatedResponse> {
    await this.settings.setCrawlingDefaults(org, body);
    return UPDATED;
  }

  @Patch('note')
  @RequireSuperuser('Not Allowed', 'viewer')
  @Returns(anything(), { notFound: true })
  async setNote(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() { note }: UpdateOrgNote,
  ): Promise<UpdatedResponse> {
    await this.settings.setNote(org, note ?? null);
    return UPDATED;
  }
}

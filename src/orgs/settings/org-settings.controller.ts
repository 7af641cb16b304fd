import { Body, Controller, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentOrg, RequireRole, RequireSuperuser } from '../../common/access/access.js';
import { KeyScopeIs } from '../../common/access/key-scopes.js';
import { StatedOrigin } from '../../links/origins.js';
import { Returns } from '../../common/openapi/returns.js';
import { UpdatedResponse } from '../../common/responses/responses.dto.js';
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

  /** Changes the org's name, and its name in URLs. */
  @Post('rename')
  @RequireRole('owner')
  @Returns(UpdatedResponse, { notFound: true })
  async renameOrg(@Param() _path: OrgPath, @CurrentOrg() org: Org, @Body() body: RenameOrg): Promise<UpdatedResponse> {
    await this.settings.rename(org, body);
    return UPDATED;
  }

  /** Changes the org's quotas; those that are left out stay. */
  @Post('quotas')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setOrgQuotas(@Param() { oid }: OrgPath, @Body() body: OrgQuotasIn): Promise<UpdatedResponse> {
    assertQuotas(body, ['body']);
    await this.usage.changeQuotas(oid, body, { mode: 'set' });
    return UPDATED;
  }

  /** Sets which proxies the org may use. */
  @Post('proxies')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setOrgProxies(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: OrgProxies,
  ): Promise<UpdatedResponse> {
    await this.settings.setProxies(org, body);
    return UPDATED;
  }

  /** Switches features of the org on or off. */
  @Post('feature-flags')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setOrgFeatureFlags(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: FeatureFlagsPartial,
  ): Promise<UpdatedResponse> {
    await this.settings.setFeatureFlags(org, body);
    return UPDATED;
  }

  /** Makes the org read-only, or lets it write again. */
  @Post('read-only')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setOrgReadOnly(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: OrgReadOnlyUpdate,
  ): Promise<UpdatedResponse> {
    await this.settings.setReadOnly(org, body);
    return UPDATED;
  }

  /** Sets whether the org becomes read-only when its subscription ends. */
  @Post('read-only-on-cancel')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setOrgReadOnlyOnCancel(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: OrgReadOnlyOnCancel,
  ): Promise<UpdatedResponse> {
    await this.settings.setReadOnlyOnCancel(org, body.readOnlyOnCancel);
    return UPDATED;
  }

  /** Changes the org's public page. */
  @Post('public-profile')
  @RequireRole('owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setOrgPublicProfile(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() body: OrgPublicProfileUpdate,
  ): Promise<UpdatedResponse> {
    await this.settings.setPublicProfile(org, body);
    return UPDATED;
  }

  /** Sets where the org's events are told. */
  @Post('event-webhook-urls')
  @KeyScopeIs('webhooks:write')
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

  /** Sets what new workflows of the org begin with. */
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

  /** Sets the superusers' note on the org. */
  @Patch('note')
  @RequireSuperuser('Not Allowed', 'viewer')
  @Returns(UpdatedResponse, { notFound: true })
  async setOrgNote(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Body() { note }: UpdateOrgNote,
  ): Promise<UpdatedResponse> {
    await this.settings.setNote(org, note ?? null);
    return UPDATED;
  }
}

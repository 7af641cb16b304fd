import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentOrg, RequireRole, RequireSuperuser } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import {
  DeletedResponseId,
  StorageRefOut,
  SuccessResponse,
  SuccessResponseId,
} from '../../common/responses/responses.dto.js';
import { list } from '../../common/validation/composites.js';
import type { Org } from '../data/org.schema.js';
import { OrgMetrics, OrgPath } from '../dto/orgs.dto.js';
import { OrgStorageRefs } from '../dto/custom-storages.dto.js';
import { OrgAdmin } from './org-admin.js';
import { OrgSettings } from './org-settings.js';

@ApiTags('organizations')
@Controller('orgs/:oid')
export class OrgAdminController {
  constructor(
    private readonly admin: OrgAdmin,
    private readonly settings: OrgSettings,
  ) {}

  /** Starts the job that deletes the org with all that is its. */
  @Delete()
  @RequireSuperuser('Not Allowed', 'viewer')
  @Returns(DeletedResponseId, { notFound: true })
  async deleteOrg(@Param() { oid }: OrgPath): Promise<DeletedResponseId> {
    return { deleted: true, id: await this.admin.delete(oid) };
  }

  /** Returns what the org stores, has and runs, in numbers. */
  @Get('metrics')
  @RequireRole('viewer')
  @Returns(OrgMetrics, { notFound: true })
  getOrgMetrics(@Param() _path: OrgPath, @CurrentOrg() org: Org): Promise<OrgMetrics> {
    return this.admin.metrics(org);
  }

  /** Returns the storages that the org uses. */
  @Get('storage')
  @RequireRole('owner')
  @Returns(OrgStorageRefs, { notFound: true })
  getOrgStorage(@Param() _path: OrgPath, @CurrentOrg() org: Org): OrgStorageRefs {
    return this.admin.storageRefs(org);
  }

  /** Lists the storages that the org may use. */
  @Get('allStorages')
  @RequireRole('owner')
  @Returns(list(() => StorageRefOut), { notFound: true })
  listOrgStorages(@Param() _path: OrgPath, @CurrentOrg() org: Org): StorageRefOut[] {
    return this.admin.allStorages(org);
  }

  /** Forgets the org's presigned URLs; they are made anew when asked for. */
  @Post('clear-presigned-urls')
  @RequireRole('owner')
  @Returns(SuccessResponse, { notFound: true })
  async clearOrgPresignedUrls(@Param() { oid }: OrgPath): Promise<SuccessResponse> {
    await this.settings.clearPresignedUrls(oid);
    return { success: true };
  }

  /** Starts the job that adds up anew what the org stores. */
  @Post('recalculate-storage')
  @RequireRole('owner')
  @Returns(SuccessResponseId, { notFound: true })
  async recalculateOrgStorage(@Param() { oid }: OrgPath): Promise<SuccessResponseId> {
    return { success: true, id: await this.admin.recalculate(oid) };
  }
}

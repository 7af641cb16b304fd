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

  @Delete()
  @RequireSuperuser('Not Allowed', 'viewer')
  @Returns(DeletedResponseId, { notFound: true })
  async delete(@Param() { oid }: OrgPath): Promise<DeletedResponseId> {
    return { deleted: true, id: await this.admin.delete(oid) };
  }

  @Get('metrics')
  @RequireRole('viewer')
  @Returns(OrgMetrics, { notFound: true })
  metrics(@Param() _path: OrgPath, @CurrentOrg() org: Org): Promise<OrgMetrics> {
    return this.admin.metrics(org);
  }

  @Get('storage')
  @RequireRole('owner')
  @Returns(OrgStorageRefs, { notFound: true })
  storage(@Param() _path: OrgPath, @CurrentOrg() org: Org): OrgStorageRefs {
    return this.admin.storageRefs(org);
  }

  @Get('allStorages')
  @RequireRole('owner')
  @Returns(list(() => StorageRefOut), { notFound: true })
  allStorages(@Param() _path: OrgPath, @CurrentOrg() org: Org): StorageRefOut[] {
    return this.admin.allStorages(org);
  }

  @Post('clear-presigned-urls')
  @RequireRole('owner')
  @Returns(SuccessResponse, { notFound: true })
  async clearPresignedUrls(@Param() { oid }: OrgPath): Promise<SuccessResponse> {
    await this.settings.clearPresignedUrls(oid);
    return { success: true };
  }

  @Post('recalculate-storage')
  @RequireRole('owner')
  @Returns(SuccessResponseId, { notFound: true })
  async recalculate(@Param() { oid }: OrgPath): Promise<SuccessResponseId> {
    return { success: true, id: await this.admin.recalculate(oid) };
  }
}

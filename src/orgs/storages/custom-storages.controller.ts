import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentOrg, RequireRole } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import { UpdatedResponse } from '../../common/responses/responses.dto.js';
import { CustomStorages } from './custom-storages.js';
import type { Org } from '../data/org.schema.js';
import {
  AddedStorage,
  CustomStoragePath,
  DeletedStorage,
  OrgStorageRefsIn,
  S3StorageIn,
} from '../dto/custom-storages.dto.js';

/** Routes for orgs' own storages, which exist only with CUSTOM_STORAGES_ENABLED. Contract: archive.md §2.5. */
@ApiTags('organizations')
@Controller('orgs/:oid')
export class CustomStoragesController {
  constructor(private readonly storages: CustomStorages) {}

  /** Adds a storage, after storing an empty object in it. @throws StorageAlreadyExists, StorageNotVerified */
  @Post('customStorage')
  @RequireRole('owner')
  @Returns(AddedStorage)
  async addCustomStorage(@CurrentOrg() org: Org, @Body() body: S3StorageIn): Promise<AddedStorage> {
    return { added: true, name: await this.storages.add(org, body) };
  }

  /** Removes a storage. @throws NoSuchStorage, StorageInUse */
  @Delete('customStorage/:name')
  @RequireRole('owner')
  @Returns(DeletedStorage)
  async removeCustomStorage(@Param() { name }: CustomStoragePath, @CurrentOrg() org: Org): Promise<DeletedStorage> {
    await this.storages.remove(org, name);
    return { deleted: true };
  }

  /** Sets the storages of new files and their replicas. @throws InvalidStorageRef */
  @Post('storage')
  @RequireRole('owner')
  @Returns(UpdatedResponse)
  async useOrgStorages(@CurrentOrg() org: Org, @Body() body: OrgStorageRefsIn): Promise<UpdatedResponse> {
    await this.storages.use(org, body);
    return { updated: true };
  }
}

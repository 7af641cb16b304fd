import { Module } from '@nestjs/common';
import { ObjectsModule } from '../../objects/objects.module.js';
import { StorageModule } from '../../storage/storage.module.js';
import { CustomStorages } from './custom-storages.js';
import { CustomStoragesController } from './custom-storages.controller.js';
import { OrgsDataModule } from '../data/orgs-data.module.js';
import { OrgSettingChanges } from '../org-setting-changes.js';

/** This module is registered only when orgs may have their own storages; otherwise none of its routes exists. */
@Module({
  imports: [ObjectsModule, OrgsDataModule, StorageModule],
  controllers: [CustomStoragesController],
  providers: [CustomStorages, OrgSettingChanges],
})
export class CustomStoragesModule {}

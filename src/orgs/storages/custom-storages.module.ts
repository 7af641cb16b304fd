import { Module } from '@nestjs/common';
import { ObjectsModule } from '../../objects/objects.module.js';
import { StorageModule } from '../../storage/storage.module.js';
import { CustomStorages } from './custom-storages.js';
import { CustomStoragesController } from './custom-storages.controller.js';
import { OrgsDataModule } from '../data/orgs-data.module.js';

/** Registered only when orgs may bring storages of their own: otherwise none of its routes exists. */
@Module({
  imports: [ObjectsModule, OrgsDataModule, StorageModule],
  controllers: [CustomStoragesController],
  providers: [CustomStorages],
})
export class CustomStoragesModule {}

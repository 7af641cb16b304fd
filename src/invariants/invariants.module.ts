import { Module } from '@nestjs/common';
import { CollectionsDataModule } from '../collections/data/collections-data.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { OrgsDataModule } from '../orgs/data/orgs-data.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { CounterChecks } from './counter-checks.js';
import { InvariantsDataModule } from './data/invariants-data.module.js';
import { FileChecks } from './file-checks.js';
import { Invariants } from './invariants.js';

/** Whether the archive is as its own records say. */
@Module({
  imports: [CollectionsDataModule, InvariantsDataModule, ObjectsModule, OrgsDataModule, OrgsModule, StorageModule],
  providers: [CounterChecks, FileChecks, Invariants],
  exports: [Invariants],
})
export class InvariantsModule {}

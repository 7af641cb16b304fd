import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { ItemsDataModule } from '../items/data/items-data.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { WorkflowsDataModule } from '../workflows/data/workflows-data.module.js';
import { FilesDataModule } from './data/files-data.module.js';
import { FilesController } from './files.controller.js';
import { NewSeedFiles } from './new-seed-files.js';
import { SeedFileReader } from './seed-file-reader.js';
import { SeedFileCleanup } from './seed-file-cleanup.js';
import { SeedFilesOfOrg } from './seed-files-of-org.js';
import { SeedFiles } from './seed-files.js';

@Module({
  imports: [
    FilesDataModule,
    ItemsDataModule,
    JobsModule,
    ObjectsModule,
    OrgsModule,
    StorageModule,
    WorkflowsDataModule,
  ],
  controllers: [FilesController],
  providers: [SeedFiles, SeedFileReader, NewSeedFiles, SeedFilesOfOrg, SeedFileCleanup],
  exports: [SeedFiles, FilesDataModule],
})
export class FilesModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Collection, CollectionSchema } from '../../collections/data/collection.schema.js';
import { SeedFile, SeedFileSchema } from '../../files/data/seed-file.schema.js';
import { BrowserProfile, BrowserProfileSchema } from '../../profiles/data/browser-profile.schema.js';
import { Workflow, WorkflowSchema } from '../../workflows/data/workflow.schema.js';
import { FileDeletion, FileDeletionSchema } from './file-deletion.schema.js';
import { FileDeletionsRepository } from './file-deletions.repository.js';
import { FixityRecordsRepository } from './fixity-records.repository.js';
import { ItemBackfills } from './item-backfills.js';
import { ItemCollectionsRepository } from './item-collections.repository.js';
import { ItemMigrationsRepository } from './item-migrations.repository.js';
import { ItemValuesQueries } from './item-values.queries.js';
import { Item, ItemSchema } from './item.schema.js';
import { ItemsQueries } from './items.queries.js';
import { ItemsRepository } from './items.repository.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: BrowserProfile.name, schema: BrowserProfileSchema },
      { name: Collection.name, schema: CollectionSchema },
      { name: Item.name, schema: ItemSchema },
      { name: SeedFile.name, schema: SeedFileSchema },
      { name: Workflow.name, schema: WorkflowSchema },
      { name: FileDeletion.name, schema: FileDeletionSchema },
    ]),
  ],
  providers: [
    ItemsRepository,
    ItemsQueries,
    ItemValuesQueries,
    ItemCollectionsRepository,
    ItemMigrationsRepository,
    FileDeletionsRepository,
    FixityRecordsRepository,
    ItemBackfills,
  ],
  exports: [
    ItemsRepository,
    ItemsQueries,
    ItemValuesQueries,
    ItemCollectionsRepository,
    ItemMigrationsRepository,
    FileDeletionsRepository,
    FixityRecordsRepository,
    MongooseModule,
  ],
})
export class ItemsDataModule {}

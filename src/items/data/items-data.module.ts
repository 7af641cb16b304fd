import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Workflow, WorkflowSchema } from '../../workflows/data/workflow.schema.js';
import { FileDeletion, FileDeletionSchema } from './file-deletion.schema.js';
import { FileDeletionsRepository } from './file-deletions.repository.js';
import { ItemCollectionsRepository } from './item-collections.repository.js';
import { ItemMigrationsRepository } from './item-migrations.repository.js';
import { ItemValuesQueries } from './item-values.queries.js';
import { Item, ItemSchema } from './item.schema.js';
import { ItemsQueries } from './items.queries.js';
import { ItemsRepository } from './items.repository.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Item.name, schema: ItemSchema },
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
  ],
  exports: [
    ItemsRepository,
    ItemsQueries,
    ItemValuesQueries,
    ItemCollectionsRepository,
    ItemMigrationsRepository,
    FileDeletionsRepository,
    MongooseModule,
  ],
})
export class ItemsDataModule {}

import { DataModule } from '../../database/data-module.js';
import { WorkflowSchema } from '../../workflows/data/workflow.schema.js';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { ItemBackfills } from './item-backfills.js';
import { ItemCollectionsRepository } from './item-collections.repository.js';
import { ItemMigrationsRepository } from './item-migrations.repository.js';
import { ItemPagesQueries } from './item-pages.queries.js';
import { ItemValuesQueries } from './item-values.queries.js';
import { ITEM_FILES } from './item-files.js';
import { Item, ItemSchema } from './item.schema.js';
import { ItemsQueries } from './items.queries.js';
import { ItemsRepository } from './items.repository.js';

@DataModule({
  imports: [ObjectsDataModule],
  models: { Item: ItemSchema, Workflow: WorkflowSchema },
  providers: [
    ItemsRepository,
    ItemsQueries,
    ItemValuesQueries,
    ItemPagesQueries,
    ItemCollectionsRepository,
    ItemMigrationsRepository,
    ItemBackfills,
    ownsFiles(Item, ITEM_FILES),
  ],
})
export class ItemsDataModule {}

import { DataModule } from '../../database/data-module.js';
import { WorkflowSchema } from '../../workflows/data/workflow.schema.js';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { DownloadLogSchema } from './download-log.schema.js';
import { DownloadLogsRepository } from './download-logs.repository.js';
import { ItemBackfills } from './item-backfills.js';
import { ItemCollectionsRepository } from './item-collections.repository.js';
import { ItemMigrationsRepository } from './item-migrations.repository.js';
import { ItemPagesQueries } from './item-pages.queries.js';
import { ItemValuesQueries } from './item-values.queries.js';
import { ITEM_FILES } from './item-files.js';
import { ItemHoldSchema } from './item-hold.schema.js';
import { ItemHoldsRepository } from './item-holds.repository.js';
import { ItemLinksRepository } from './item-links.repository.js';
import { KEPT_ITEM_FILES, KeptItem, KeptItemSchema } from './kept-item.schema.js';
import { KeptItemsRepository } from './kept-items.repository.js';
import { Item, ItemSchema } from './item.schema.js';
import { ItemsQueries } from './items.queries.js';
import { ItemsRepository } from './items.repository.js';

@DataModule({
  imports: [ObjectsDataModule],
  models: {
    Item: ItemSchema,
    ItemHold: ItemHoldSchema,
    KeptItem: KeptItemSchema,
    DownloadLog: DownloadLogSchema,
    Workflow: WorkflowSchema,
  },
  providers: [
    ItemsRepository,
    ItemsQueries,
    ItemValuesQueries,
    ItemPagesQueries,
    ItemCollectionsRepository,
    ItemMigrationsRepository,
    ItemBackfills,
    ItemHoldsRepository,
    ItemLinksRepository,
    KeptItemsRepository,
    DownloadLogsRepository,
    ownsFiles(Item, ITEM_FILES),
    ownsFiles(KeptItem, KEPT_ITEM_FILES),
  ],
})
export class ItemsDataModule {}

import { DataModule } from '../../database/data-module.js';
import { ItemSchema } from '../../items/data/item.schema.js';
import { PageSchema } from '../../pages/data/page.schema.js';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { CollectionStatsQueries } from './collection-stats.queries.js';
import { COLLECTION_FILES, Collection, CollectionSchema } from './collection.schema.js';
import { CollectionsQueries } from './collections.queries.js';
import { IndexStatesRepository } from './index-states.repository.js';
import { CollectionsReads } from './collections.reads.js';
import { CollectionsRepository } from './collections.repository.js';

@DataModule({
  imports: [ObjectsDataModule],
  models: { Collection: CollectionSchema, Item: ItemSchema, Page: PageSchema },
  providers: [
    CollectionsReads,
    CollectionsRepository,
    CollectionsQueries,
    IndexStatesRepository,
    CollectionStatsQueries,
    ownsFiles(Collection, COLLECTION_FILES),
  ],
})
export class CollectionsDataModule {}

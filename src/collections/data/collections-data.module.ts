import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Item, ItemSchema } from '../../items/data/item.schema.js';
import { Page, PageSchema } from '../../pages/data/page.schema.js';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { CollectionStatsQueries } from './collection-stats.queries.js';
import { COLLECTION_FILES, Collection, CollectionSchema } from './collection.schema.js';
import { CollectionsQueries } from './collections.queries.js';
import { CollectionsReads } from './collections.reads.js';
import { CollectionsRepository } from './collections.repository.js';

@Module({
  imports: [
    ObjectsDataModule,
    MongooseModule.forFeature([
      { name: Collection.name, schema: CollectionSchema },
      { name: Item.name, schema: ItemSchema },
      { name: Page.name, schema: PageSchema },
    ]),
  ],
  providers: [
    CollectionsReads,
    CollectionsRepository,
    CollectionsQueries,
    CollectionStatsQueries,
    ownsFiles(Collection, COLLECTION_FILES),
  ],
  exports: [CollectionsReads, CollectionsRepository, CollectionsQueries, CollectionStatsQueries],
})
export class CollectionsDataModule {}

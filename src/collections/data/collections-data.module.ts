import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Item, ItemSchema } from '../../items/data/item.schema.js';
import { Page, PageSchema } from '../../pages/data/page.schema.js';
import { CollectionStatsQueries } from './collection-stats.queries.js';
import { Collection, CollectionSchema } from './collection.schema.js';
import { CollectionsQueries } from './collections.queries.js';
import { CollectionsReads } from './collections.reads.js';
import { CollectionsRepository } from './collections.repository.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Collection.name, schema: CollectionSchema },
      { name: Item.name, schema: ItemSchema },
      { name: Page.name, schema: PageSchema },
    ]),
  ],
  providers: [CollectionsReads, CollectionsRepository, CollectionsQueries, CollectionStatsQueries],
  exports: [CollectionsReads, CollectionsRepository, CollectionsQueries, CollectionStatsQueries],
})
export class CollectionsDataModule {}

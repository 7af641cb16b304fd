import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Item, ItemSchema } from '../../items/data/item.schema.js';
import { Page, PageSchema } from '../../pages/data/page.schema.js';
import { QaRunsRepository } from './qa-runs.repository.js';
import { QaStatsQueries } from './qa-stats.queries.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Item.name, schema: ItemSchema },
      { name: Page.name, schema: PageSchema },
    ]),
  ],
  providers: [QaRunsRepository, QaStatsQueries],
  exports: [QaRunsRepository, QaStatsQueries],
})
export class QaDataModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Item, ItemSchema } from '../../items/data/item.schema.js';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { RUN_FILES, CrawlJob, CrawlJobSchema } from './crawl-job.schema.js';
import { CrawlJobsRepository } from './crawl-jobs.repository.js';
import { CrawlLog, CrawlLogSchema } from './crawl-log.schema.js';
import { CrawlLogsRepository } from './crawl-logs.repository.js';
import { CrawlStatsQueries } from './crawl-stats.queries.js';
import { RunsRepository } from './runs.repository.js';

@Module({
  imports: [
    ObjectsDataModule,
    MongooseModule.forFeature([
      { name: CrawlJob.name, schema: CrawlJobSchema },
      { name: CrawlLog.name, schema: CrawlLogSchema },
      { name: Item.name, schema: ItemSchema },
    ]),
  ],
  providers: [
    CrawlJobsRepository,
    CrawlLogsRepository,
    CrawlStatsQueries,
    RunsRepository,
    ownsFiles(CrawlJob, RUN_FILES),
  ],
  exports: [CrawlJobsRepository, CrawlLogsRepository, CrawlStatsQueries, RunsRepository],
})
export class CrawlsDataModule {}

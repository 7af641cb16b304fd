import { DataModule } from '../../database/data-module.js';
import { ItemSchema } from '../../items/data/item.schema.js';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { RUN_FILES, CrawlJob, CrawlJobSchema } from './crawl-job.schema.js';
import { CrawlJobsRepository } from './crawl-jobs.repository.js';
import { CrawlLogSchema } from './crawl-log.schema.js';
import { CrawlLogsRepository } from './crawl-logs.repository.js';
import { CrawlStatsQueries } from './crawl-stats.queries.js';
import { RunsRepository } from './runs.repository.js';

@DataModule({
  imports: [ObjectsDataModule],
  models: { CrawlJob: CrawlJobSchema, CrawlLog: CrawlLogSchema, Item: ItemSchema },
  providers: [
    CrawlJobsRepository,
    CrawlLogsRepository,
    CrawlStatsQueries,
    RunsRepository,
    ownsFiles(CrawlJob, RUN_FILES),
  ],
})
export class CrawlsDataModule {}

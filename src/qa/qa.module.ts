import { Module } from '@nestjs/common';
import { CrawlsModule } from '../crawls/crawls.module.js';
import { CrawlerCatalogModule } from '../drivers/catalog/catalog.module.js';
import { ItemsModule } from '../items/items.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { PagesDataModule } from '../pages/data/pages-data.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { WorkflowsDataModule } from '../workflows/data/workflows-data.module.js';
import { AllOrgsQaController } from './all-orgs-qa.controller.js';
import { modelsOf } from '../database/data-module.js';
import { ItemSchema } from '../items/data/item.schema.js';
import { PageSchema } from '../pages/data/page.schema.js';
import { QaRunsRepository } from './data/qa-runs.repository.js';
import { QaStatsQueries } from './data/qa-stats.queries.js';
import { QaControl } from './qa-control.js';
import { QaLauncher } from './qa-launcher.js';
import { QaRunKind } from './qa-run-kind.js';
import { QaRunsService } from './qa-runs.service.js';
import { QaSpecBuilder } from './qa-spec-builder.js';
import { QaStartCheck } from './qa-start-check.js';
import { QaStats } from './qa-stats.js';
import { QaController } from './qa.controller.js';

/** QA runs over finished crawls. Their kind of run is registered with the crawls' supervisor. */
@Module({
  imports: [
    CrawlerCatalogModule,
    CrawlsModule,
    ItemsModule,
    ObjectsModule,
    OrgsModule,
    PagesDataModule,
    modelsOf({ Item: ItemSchema, Page: PageSchema }),
    StorageModule,
    WorkflowsDataModule,
  ],
  controllers: [QaController, AllOrgsQaController],
  providers: [
    QaRunsRepository,
    QaStatsQueries,
    QaControl,
    QaLauncher,
    QaRunKind,
    QaRunsService,
    QaSpecBuilder,
    QaStartCheck,
    QaStats,
  ],
})
export class QaModule {}

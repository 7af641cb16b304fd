import { Module } from '@nestjs/common';
import { CollectionsDataModule } from '../collections/data/collections-data.module.js';
import { CrawlerCatalogModule } from '../drivers/catalog/catalog.module.js';
import { DriversModule } from '../drivers/drivers.module.js';
import { FilesDataModule } from '../files/data/files-data.module.js';
import { ItemsModule } from '../items/items.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { OrgsDataModule } from '../orgs/data/orgs-data.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { PagesDataModule } from '../pages/data/pages-data.module.js';
import { ProfilesDataModule } from '../profiles/data/profiles-data.module.js';
import { UsersDataModule } from '../users/data/users-data.module.js';
import { WorkflowsDataModule } from '../workflows/data/workflows-data.module.js';
import { AutoPauseNotice } from './auto-pause-notice.js';
import { CrawlControl } from './crawl-control.js';
import { CrawlQueue } from './crawl-queue.js';
import { CrawlSettings } from './crawl-settings.js';
import { CrawlsService } from './crawls.service.js';
import { CrawlControlController } from './crawl-control.controller.js';
import { CrawlLogsController } from './crawl-logs.controller.js';
import { CrawlLogsService } from './crawl-logs.service.js';
import { CrawlsAcrossOrgsController } from './crawls-across-orgs.controller.js';
import { CrawlsController } from './crawls.controller.js';
import { CrawlDeletion } from './crawl-deletion.js';
import { CrawlWatch } from './crawl-watch.js';
import { CrawlLogStream } from './crawl-log-stream.js';
import { CrawlStatistics } from './crawl-stats.js';
import { SupervisorStartup } from './supervisor-startup.js';
import { CrawlStreamsController } from './crawl-streams.controller.js';
import { CrawlDependent } from './crawl-dependent.js';
import { CrawlEnding } from './crawl-ending.js';
import { CrawlLauncher } from './crawl-launcher.js';
import { CrawlRunKind } from './crawl-run-kind.js';
import { CrawlSpecBuilder } from './crawl-spec-builder.js';
import { CrawlStartCheck } from './crawl-start-check.js';
import { CrawlSupervisor } from './crawl-supervisor.js';
import { CrawlsSchedule } from './crawls.schedule.js';
import { CrawlsDataModule } from './data/crawls-data.module.js';
import { LogIngest } from './log-ingest.js';
import { RunCommander } from './run-commander.js';
import { RunFinisher } from './run-finisher.js';
import { RunGates } from './run-gates.js';
import { RunIngest } from './run-ingest.js';
import { RunKinds } from './run-kind.js';
import { RunMeter } from './run-meter.js';
import { RunObserver } from './run-observer.js';
import { RunStops } from './run-stops.js';
import { RunTeardown } from './run-teardown.js';
import { WindowLimits } from './window-limits.js';
import { RunTick } from './run-tick.js';

/** The life of crawls: started, supervised, controlled, shown. QA registers its kind of run here. */
@Module({
  imports: [
    CollectionsDataModule,
    CrawlerCatalogModule,
    CrawlsDataModule,
    DriversModule,
    FilesDataModule,
    ItemsModule,
    OrgsDataModule,
    OrgsModule,
    PagesDataModule,
    ProfilesDataModule,
    StorageModule,
    UsersDataModule,
    WorkflowsDataModule,
  ],
  controllers: [
    CrawlsAcrossOrgsController,
    CrawlsController,
    CrawlControlController,
    CrawlLogsController,
    CrawlStreamsController,
  ],
  providers: [
    AutoPauseNotice,
    CrawlLogsService,
    CrawlsService,
    CrawlSettings,
    WindowLimits,
    CrawlQueue,
    CrawlControl,
    CrawlDeletion,
    CrawlWatch,
    CrawlLogStream,
    CrawlStatistics,
    SupervisorStartup,
    CrawlDependent,
    CrawlEnding,
    CrawlLauncher,
    CrawlRunKind,
    CrawlSpecBuilder,
    CrawlStartCheck,
    CrawlSupervisor,
    CrawlsSchedule,
    LogIngest,
    RunCommander,
    RunFinisher,
    RunGates,
    RunIngest,
    RunKinds,
    RunMeter,
    RunObserver,
    RunStops,
    RunTeardown,
    RunTick,
  ],
  exports: [CrawlControl, CrawlLauncher, CrawlQueue, CrawlSettings, CrawlSupervisor, RunKinds, CrawlsDataModule],
})
export class CrawlsModule {}

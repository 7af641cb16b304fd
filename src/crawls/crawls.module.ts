import { Module } from '@nestjs/common';
import { CollectionsDataModule } from '../collections/data/collections-data.module.js';
import { CrawlerCatalogModule } from '../drivers/catalog/catalog.module.js';
import { DedupeModule } from '../dedupe/dedupe.module.js';
import { DriversModule } from '../drivers/drivers.module.js';
import { FilesDataModule } from '../files/data/files-data.module.js';
import { ItemsModule } from '../items/items.module.js';
import { MailModule } from '../mail/mail.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { PagesDataModule } from '../pages/data/pages-data.module.js';
import { ProfilesDataModule } from '../profiles/data/profiles-data.module.js';
import { UsersDataModule } from '../users/data/users-data.module.js';
import { WorkflowsDataModule } from '../workflows/data/workflows-data.module.js';
import { AutoPauseNotice } from './auto-pause-notice.js';
import { CrawlDeletion } from './crawl-deletion.js';
import { CrawlDependent } from './crawl-dependent.js';
import { CrawlStatistics } from './crawl-stats.js';
import { CrawlStreamsController } from './crawl-streams.controller.js';
import { CrawlWatch } from './crawl-watch.js';
import { CrawlsAcrossOrgsController } from './crawls-across-orgs.controller.js';
import { CrawlsController } from './crawls.controller.js';
import { CrawlsService } from './crawls.service.js';
import { CrawlControlController } from './control/crawl-control.controller.js';
import { CrawlControl } from './control/crawl-control.js';
import { CrawlQueue } from './control/crawl-queue.js';
import { CrawlSettings } from './control/crawl-settings.js';
import { WindowLimits } from './control/window-limits.js';
import { CrawlEnding } from './crawl-kind/crawl-ending.js';
import { CrawlRunKind } from './crawl-kind/crawl-run-kind.js';
import { CrawlSpecBuilder } from './crawl-kind/crawl-spec-builder.js';
import { CrawlsDataModule } from './data/crawls-data.module.js';
import { CrawlStartCheck } from './launch/crawl-start-check.js';
import { StartInputs } from './launch/start-inputs.js';
import { CrawlLogStream } from './logs/crawl-log-stream.js';
import { CrawlLogsController } from './logs/crawl-logs.controller.js';
import { CrawlLogsService } from './logs/crawl-logs.service.js';
import { LogIngest } from './logs/log-ingest.js';
import { CrawlSupervisor } from './run/crawl-supervisor.js';
import { RunCommander } from './run/run-commander.js';
import { RunFinisher } from './run/run-finisher.js';
import { RunGates } from './run/run-gates.js';
import { RunIngest } from './run/run-ingest.js';
import { RunKinds } from './run/run-kind.js';
import { RunMeter } from './run/run-meter.js';
import { RunObserver } from './run/run-observer.js';
import { RunStops } from './run/run-stops.js';
import { RunFailures } from './run/run-failures.js';
import { RunSubjects } from './run/run-subjects.js';
import { RunTeardown } from './run/run-teardown.js';
import { RunTick } from './run/run-tick.js';
import { SupervisorStartup } from './run/supervisor-startup.js';

/** Crawls are started, supervised, controlled and shown here. QA registers its kind of run with this module. */
@Module({
  imports: [
    CollectionsDataModule,
    CrawlerCatalogModule,
    CrawlsDataModule,
    DedupeModule,
    DriversModule,
    FilesDataModule,
    ItemsModule,
    MailModule,
    ObjectsModule,
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
    CrawlRunKind,
    CrawlSpecBuilder,
    CrawlStartCheck,
    CrawlSupervisor,
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
    RunFailures,
    RunSubjects,
    RunTick,
    StartInputs,
  ],
  exports: [CrawlControl, CrawlStartCheck, CrawlQueue, CrawlSettings, CrawlSupervisor, RunKinds, CrawlsDataModule],
})
export class CrawlsModule {}

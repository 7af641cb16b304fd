import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { CollectionsDataModule } from '../collections/data/collections-data.module.js';
import { CrawlsModule } from '../crawls/crawls.module.js';
import { CrawlerCatalogModule } from '../drivers/catalog/catalog.module.js';
import { FilesModule } from '../files/files.module.js';
import { ItemsModule } from '../items/items.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { PagesModule } from '../pages/pages.module.js';
import { ProfilesDataModule } from '../profiles/data/profiles-data.module.js';
import { UsersDataModule } from '../users/data/users-data.module.js';
import { AllWorkflowsController } from './all-workflows.controller.js';
import { CustomBehaviors } from './custom-behaviors.js';
import { WorkflowsDataModule } from './data/workflows-data.module.js';
import { ExclusionsController } from './exclusions.controller.js';
import { Exclusions } from './exclusions.js';
import { GitRemote } from './git-remote.js';
import {
  PublicWorkflowPagesController,
  PublicWorkflowReplayController,
} from './public/public-workflows.controllers.js';
import { PublicWorkflows } from './public/public-workflows.js';
import { ScaledCrawls } from './scaled-crawls.js';
import { WorkflowScheduler } from './running/workflow-scheduler.js';
import { CrawlLauncher } from './running/crawl-launcher.js';
import { RevisionWriter } from './editing/revision-writer.js';
import { UpdateChecks } from './editing/update-checks.js';
import { WorkflowChecks } from './editing/workflow-checks.js';
import { WorkflowCreator } from './editing/workflow-creator.js';
import { WorkflowEditor } from './editing/workflow-editor.js';
import { WorkflowRemover } from './editing/workflow-remover.js';
import { WorkflowRuns } from './running/workflow-runs.js';
import { WorkflowSeedFiles } from './editing/workflow-seed-files.js';
import { WorkflowCrawls } from './running/workflow-crawls.js';
import { WorkflowFigures } from './workflow-figures.js';
import { WorkflowReader } from './workflow-reader.js';
import { WorkflowValues } from './workflow-values.js';
import { WorkflowValuesController } from './workflow-values.controller.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsOfOrg } from './workflows-of-org.js';

/** Provides crawl configurations, which say what is crawled, how and when. */
@Module({
  imports: [
    CollectionsDataModule,
    CollectionsModule,
    CrawlerCatalogModule,
    CrawlsModule,
    FilesModule,
    ItemsModule,
    OrgsModule,
    PagesModule,
    ProfilesDataModule,
    UsersDataModule,
    WorkflowsDataModule,
  ],
  controllers: [
    WorkflowsController,
    WorkflowValuesController,
    AllWorkflowsController,
    ExclusionsController,
    PublicWorkflowReplayController,
    PublicWorkflowPagesController,
  ],
  providers: [
    WorkflowReader,
    WorkflowValues,
    WorkflowCrawls,
    WorkflowFigures,
    WorkflowsOfOrg,
    WorkflowChecks,
    WorkflowSeedFiles,
    UpdateChecks,
    RevisionWriter,
    WorkflowCreator,
    WorkflowEditor,
    WorkflowRemover,
    WorkflowRuns,
    CrawlLauncher,
    CustomBehaviors,
    Exclusions,
    PublicWorkflows,
    ScaledCrawls,
    GitRemote,
    WorkflowScheduler,
  ],
})
export class WorkflowsModule {}

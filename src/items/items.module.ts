import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { CollectionsDataModule } from '../collections/data/collections-data.module.js';
import { PagesDataModule } from '../pages/data/pages-data.module.js';
import { PagesModule } from '../pages/pages.module.js';
import { ProfilesDataModule } from '../profiles/data/profiles-data.module.js';
import { AllItemsController, AnyOrgItemsController } from './all-items.controller.js';
import { CollectionMembers } from './membership/collection-members.js';
import { DeletionRequests } from './deletion/deletion-requests.js';
import { ItemDeleter } from './deletion/item-deleter.js';
import { ItemDependents } from './deletion/item-dependents.js';
import { ItemDeletions } from './deletion/item-deletions.js';
import { ItemDetails } from './item-details.js';
import { DownloadRecord } from './download-record.js';
import { ItemDownloads } from './item-downloads.js';
import { ItemsOfOrg } from './deletion/items-of-org.js';
import { KeptItemReaper } from './deletion/kept-item-reaper.js';
import { KeptItems } from './deletion/kept-items.js';
import { KeptItemsOfOrg } from './deletion/kept-items-of-org.js';
import { RequiredItems } from './required-items.js';
import { PageMigrationJob } from './page-jobs/page-migration-job.js';
import { PageTitleFill } from './page-jobs/page-title-fill.js';
import { PageReAddJob } from './page-jobs/page-readd-job.js';
import { PageReAdder } from './page-jobs/page-readder.js';
import {
  ItemPageReAddsController,
  CrawlPageReAddsController,
  PageMigrationController,
  UploadPageReAddsController,
} from './page-jobs/page-jobs.controllers.js';
import { ItemReader } from './item-reader.js';
import { ItemUpdates } from './item-updates.js';
import { ItemUserNames } from './item-user-names.js';
import { ItemsService } from './items.service.js';
import { ListedItems } from './listed-items.js';
import { GoneItems } from './deletion/gone-items.js';
import { FixityController } from './fixity.controller.js';
import { ItemsDataModule } from './data/items-data.module.js';

/** Provides what crawls and uploads share. */
@Module({
  imports: [
    CollectionsDataModule,
    ItemsDataModule,
    JobsModule,
    ObjectsModule,
    OrgsModule,
    PagesDataModule,
    PagesModule,
    ProfilesDataModule,
    StorageModule,
  ],
  controllers: [
    AllItemsController,
    AnyOrgItemsController,
    FixityController,
    CrawlPageReAddsController,
    UploadPageReAddsController,
    ItemPageReAddsController,
    PageMigrationController,
  ],
  providers: [
    CollectionMembers,
    DownloadRecord,
    GoneItems,
    ItemDeleter,
    ItemDependents,
    ItemDeletions,
    ItemDetails,
    ItemDownloads,
    ItemReader,
    ItemsOfOrg,
    KeptItemReaper,
    KeptItems,
    KeptItemsOfOrg,
    RequiredItems,
    DeletionRequests,
    PageMigrationJob,
    PageReAdder,
    PageReAddJob,
    PageTitleFill,
    ItemsService,
    ItemUpdates,
    ItemUserNames,
    ListedItems,
  ],
  exports: [
    CollectionMembers,
    DownloadRecord,
    GoneItems,
    ItemsService,
    DeletionRequests,
    ItemDeleter,
    ItemDependents,
    ItemDetails,
    ItemDownloads,
    ItemReader,
    KeptItems,
    RequiredItems,
    ItemUpdates,
    ItemsDataModule,
    ListedItems,
  ],
})
export class ItemsModule {}

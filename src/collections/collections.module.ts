import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CrawlsDataModule } from '../crawls/data/crawls-data.module.js';
import { DedupeModule } from '../dedupe/dedupe.module.js';
import { ItemsModule } from '../items/items.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { PagesModule } from '../pages/pages.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { CollectionDeletion } from './collection-deletion.js';
import { CollectionDownloads } from './replay/collection-downloads.js';
import { CollectionListeners } from './collection-listeners.js';
import { CollectionLists } from './collection-lists.js';
import { CollectionPagesController } from './pages/collection-pages.controller.js';
import { CollectionPages } from './pages/collection-pages.js';
import { CollectionFiles } from './collection-files.js';
import { CollectionReader } from './collection-reader.js';
import { CollectionReplayController } from './replay/collection-replay.controller.js';
import { CollectionReplay } from './replay/collection-replay.js';
import { CollectionStatsJob } from './collection-stats-job.js';
import { CollectionThumbnailsController } from './thumbnails/collection-thumbnails.controller.js';
import { CollectionThumbnails } from './thumbnails/collection-thumbnails.js';
import { CollectionsOfOrg } from './collections-of-org.js';
import { CollectionChangesController, CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';
import { CollectionsDataModule } from './data/collections-data.module.js';
import { DedupeIndexController } from './dedupe/dedupe-index.controller.js';
import { DedupeIndex } from './dedupe/dedupe-index.js';
import { IndexListeners } from './dedupe/index-listeners.js';
import { IndexMembers } from './dedupe/index-members.js';
import { IndexUpdateJob } from './dedupe/index-update-job.js';
import { IndexUpkeep } from './dedupe/index-upkeep.js';
import { InternalReplay } from './replay/internal-replay.js';
import { PublicCollectionsController } from './public/public-collections.controller.js';
import { ReplayTag } from './replay/replay-tag.js';
import { PublicCollections } from './public/public-collections.js';
import { PublicPreviews } from './public/public-previews.js';

@Module({
  imports: [
    AuthModule,
    CollectionsDataModule,
    CrawlsDataModule,
    DedupeModule,
    ItemsModule,
    JobsModule,
    ObjectsModule,
    OrgsModule,
    PagesModule,
    StorageModule,
  ],
  controllers: [
    CollectionsController,
    CollectionChangesController,
    CollectionReplayController,
    CollectionPagesController,
    CollectionThumbnailsController,
    DedupeIndexController,
    PublicCollectionsController,
  ],
  providers: [
    CollectionDeletion,
    CollectionDownloads,
    CollectionListeners,
    CollectionLists,
    CollectionPages,
    CollectionFiles,
    CollectionReader,
    ReplayTag,
    CollectionReplay,
    CollectionStatsJob,
    CollectionThumbnails,
    CollectionsOfOrg,
    CollectionsService,
    DedupeIndex,
    IndexListeners,
    IndexMembers,
    IndexUpdateJob,
    IndexUpkeep,
    InternalReplay,
    PublicCollections,
    PublicPreviews,
  ],
  exports: [CollectionFiles, CollectionsService, DedupeIndex, PublicCollections, CollectionsDataModule],
})
export class CollectionsModule {}

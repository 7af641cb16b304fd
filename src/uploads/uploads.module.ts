import { Module } from '@nestjs/common';
import { CollectionsDataModule } from '../collections/data/collections-data.module.js';
import { ItemsModule } from '../items/items.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { PagesModule } from '../pages/pages.module.js';
import { PagesDataModule } from '../pages/data/pages-data.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { FileReplacement } from './file-replacement.js';
import { MultiWaczSplitter } from './multi-wacz-splitter.js';
import { modelsOf } from '../database/data-module.js';
import { ownsFiles } from '../objects/data/file-owners.js';
import { UPLOAD_PIECES, ResumableUpload, ResumableUploadSchema } from './data/resumable-upload.schema.js';
import { ResumableUploadsRepository } from './data/resumable-uploads.repository.js';
import { PieceAssembler } from './piece-assembler.js';
import { ResumableUploads } from './tus/resumable-uploads.js';
import { ResumableUploadsOfOrg } from './tus/resumable-uploads-of-org.js';
import { TusController } from './tus/tus.controller.js';
import { TusEndpoint } from './tus/tus-endpoint.js';
import { StuckUploads } from './stuck-uploads.js';
import { UploadBodiesController } from './upload-bodies.controller.js';
import { UploadIngester } from './upload-ingester.js';
import { UploadLists } from './upload-lists.js';
import { UploadOpener } from './upload-opener.js';
import { UploadPostprocessor } from './upload-postprocessor.js';
import { UploadReader } from './upload-reader.js';
import { UploadRecorder } from './upload-recorder.js';
import { WarcPackager } from './warc-packager.js';
import { AnyOrgUploadsController, UploadsController } from './uploads.controller.js';

@Module({
  imports: [
    CollectionsDataModule,
    ItemsModule,
    JobsModule,
    ObjectsModule,
    OrgsModule,
    PagesDataModule,
    PagesModule,
    StorageModule,
    modelsOf({ ResumableUpload: ResumableUploadSchema }),
  ],
  controllers: [TusController, UploadBodiesController, UploadsController, AnyOrgUploadsController],
  providers: [
    ResumableUploadsRepository,
    ownsFiles(ResumableUpload, UPLOAD_PIECES),
    FileReplacement,
    MultiWaczSplitter,
    PieceAssembler,
    ResumableUploads,
    ResumableUploadsOfOrg,
    StuckUploads,
    UploadIngester,
    UploadLists,
    UploadOpener,
    UploadPostprocessor,
    UploadReader,
    UploadRecorder,
    TusEndpoint,
    WarcPackager,
  ],
})
export class UploadsModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { UPLOAD_PIECES, ResumableUpload, ResumableUploadSchema } from './resumable-upload.schema.js';
import { ResumableUploadsRepository } from './resumable-uploads.repository.js';

@Module({
  imports: [
    ObjectsDataModule,
    MongooseModule.forFeature([{ name: ResumableUpload.name, schema: ResumableUploadSchema }]),
  ],
  providers: [ResumableUploadsRepository, ownsFiles(ResumableUpload, UPLOAD_PIECES)],
  exports: [ResumableUploadsRepository, MongooseModule],
})
export class UploadsDataModule {}

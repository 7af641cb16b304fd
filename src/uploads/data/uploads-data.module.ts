import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ResumableUpload, ResumableUploadSchema } from './resumable-upload.schema.js';
import { ResumableUploadsRepository } from './resumable-uploads.repository.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: ResumableUpload.name, schema: ResumableUploadSchema }])],
  providers: [ResumableUploadsRepository],
  exports: [ResumableUploadsRepository, MongooseModule],
})
export class UploadsDataModule {}

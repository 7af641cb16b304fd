import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SeedFile, SeedFileSchema } from './seed-file.schema.js';
import { SeedFilesRepository } from './seed-files.repository.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: SeedFile.name, schema: SeedFileSchema }])],
  providers: [SeedFilesRepository],
  exports: [SeedFilesRepository],
})
export class FilesDataModule {}

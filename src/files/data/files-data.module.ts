import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { SEED_FILES, SeedFile, SeedFileSchema } from './seed-file.schema.js';
import { SeedFilesRepository } from './seed-files.repository.js';

@Module({
  imports: [ObjectsDataModule, MongooseModule.forFeature([{ name: SeedFile.name, schema: SeedFileSchema }])],
  providers: [SeedFilesRepository, ownsFiles(SeedFile, SEED_FILES)],
  exports: [SeedFilesRepository],
})
export class FilesDataModule {}

import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FileDeletion, FileDeletionSchema } from './file-deletion.schema.js';
import { FileDeletionsRepository } from './file-deletions.repository.js';
import { FileOwners } from './file-owners.js';
import { FilePlacesQueries } from './file-places.queries.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: FileDeletion.name, schema: FileDeletionSchema }])],
  providers: [FileDeletionsRepository, FileOwners, FilePlacesQueries],
  exports: [FileDeletionsRepository, FileOwners, FilePlacesQueries],
})
export class ObjectsDataModule {}

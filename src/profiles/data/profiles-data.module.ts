import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { PROFILE_FILES, BrowserProfile, BrowserProfileSchema } from './browser-profile.schema.js';
import { ProfilesQueries } from './profiles.queries.js';
import { ProfilesRepository } from './profiles.repository.js';

@Module({
  imports: [
    ObjectsDataModule,
    MongooseModule.forFeature([{ name: BrowserProfile.name, schema: BrowserProfileSchema }]),
  ],
  providers: [ProfilesRepository, ProfilesQueries, ownsFiles(BrowserProfile, PROFILE_FILES)],
  exports: [ProfilesRepository, ProfilesQueries],
})
export class ProfilesDataModule {}

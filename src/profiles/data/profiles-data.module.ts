import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { BrowserProfile, BrowserProfileSchema } from './browser-profile.schema.js';
import { ProfilesQueries } from './profiles.queries.js';
import { ProfilesRepository } from './profiles.repository.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: BrowserProfile.name, schema: BrowserProfileSchema }])],
  providers: [ProfilesRepository, ProfilesQueries],
  exports: [ProfilesRepository, ProfilesQueries],
})
export class ProfilesDataModule {}

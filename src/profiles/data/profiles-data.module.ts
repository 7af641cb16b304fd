import { DataModule } from '../../database/data-module.js';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { PROFILE_FILES, BrowserProfile, BrowserProfileSchema } from './browser-profile.schema.js';
import { ProfilesQueries } from './profiles.queries.js';
import { ProfilesRepository } from './profiles.repository.js';

@DataModule({
  imports: [ObjectsDataModule],
  models: { BrowserProfile: BrowserProfileSchema },
  providers: [ProfilesRepository, ProfilesQueries, ownsFiles(BrowserProfile, PROFILE_FILES)],
})
export class ProfilesDataModule {}

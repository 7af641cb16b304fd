import { Module } from '@nestjs/common';
import { DriversModule } from '../drivers/drivers.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { WorkflowsDataModule } from '../workflows/data/workflows-data.module.js';
import { BrowserView } from './browser-view.js';
import { ProfilesDataModule } from './data/profiles-data.module.js';
import { ProfileBrowsers } from './profile-browsers.js';
import { ProfileBrowsersController } from './profile-browsers.controller.js';
import { ProfileChanges } from './profile-changes.js';
import { ProfileCommits } from './profile-commits.js';
import { ProfilesOfOrg } from './profiles-of-org.js';
import { ProfilesController } from './profiles.controller.js';
import { ProfilesService } from './profiles.service.js';

@Module({
  imports: [DriversModule, ObjectsModule, OrgsModule, ProfilesDataModule, StorageModule, WorkflowsDataModule],
  controllers: [ProfileBrowsersController, ProfilesController],
  providers: [ProfilesService, ProfileChanges, ProfileCommits, ProfileBrowsers, ProfilesOfOrg, BrowserView],
})
export class ProfilesModule {}

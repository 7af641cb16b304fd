import { Module } from '@nestjs/common';
import { OrgResolver } from '../common/access/resolvers.js';
import { CrawlerCatalogModule } from '../drivers/catalog/catalog.module.js';
import { InvitesModule } from '../invites/invites.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { MailModule } from '../mail/mail.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { UsersModule } from '../users/users.module.js';
import { OrgsDataModule } from './data/orgs-data.module.js';
import { DefaultOrg } from './lifecycle/default-org.js';
import { ImportFinish } from './archive/import-finish.js';
import { InviteMails } from './members/invite-mails.js';
import { Membership } from './members/membership.js';
import { MembersFactors } from './members/members-factors.js';
import { NewMembers } from './members/new-members.js';
import { OrgAdmin } from './settings/org-admin.js';
import { OrgAdminController } from './settings/org-admin.controller.js';
import { OrgArchiveController } from './archive/org-archive.controller.js';
import { OrgCreation, OrgsByRequest } from './lifecycle/org-creation.js';
import { OrgSettingChanges } from './org-setting-changes.js';
import { OrgData } from './org-data.js';
import { OrgDeletion } from './lifecycle/org-deletion.js';
import { OrgExport } from './archive/org-export.js';
import { OrgImport } from './archive/org-import.js';
import { OrgInvites } from './members/org-invites.js';
import { OrgMembersController, OrgRolesController } from './members/org-members.controller.js';
import { OrgNames } from './org-names.js';
import { OwnerMails } from './owner-mails.js';
import { OrgReader } from './org-reader.js';
import { StoredOrgResolver } from './org-resolver.js';
import { OrgSettings } from './settings/org-settings.js';
import { OrgSettingsController } from './settings/org-settings.controller.js';
import { OrgUsage } from './org-usage.js';
import { OrgsController } from './orgs.controller.js';
import { Plans } from './plans.js';
import { StorageCheck } from './storages/storage-check.js';
import { StorageRecalculation } from './storage-recalculation.js';
import { OrgSecondFactorController } from './members/second-factor.controller.js';
import { UserDirectoryController } from './members/user-directory.controller.js';
import { UserDirectory } from './members/user-directory.js';
import { UserOrgs } from './members/user-orgs.js';

/** Provides orgs, their members and their usage. */
@Module({
  imports: [OrgsDataModule, UsersModule, InvitesModule, StorageModule, CrawlerCatalogModule, JobsModule, MailModule],
  controllers: [
    OrgsController,
    OrgSettingsController,
    OrgAdminController,
    OrgArchiveController,
    OrgMembersController,
    OrgRolesController,
    OrgSecondFactorController,
    UserDirectoryController,
  ],
  providers: [
    { provide: OrgResolver, useClass: StoredOrgResolver },
    OrgUsage,
    OrgSettingChanges,
    OrgData,
    OrgReader,
    OwnerMails,
    OrgNames,
    OrgCreation,
    OrgsByRequest,
    OrgSettings,
    OrgAdmin,
    OrgDeletion,
    OrgExport,
    OrgImport,
    ImportFinish,
    StorageCheck,
    StorageRecalculation,
    OrgInvites,
    InviteMails,
    Membership,
    MembersFactors,
    NewMembers,
    Plans,
    UserOrgs,
    UserDirectory,
    DefaultOrg,
  ],
  exports: [
    OrgsDataModule,
    OrgResolver,
    OrgUsage,
    OrgSettingChanges,
    OrgData,
    OrgReader,
    OwnerMails,
    OrgNames,
    OrgCreation,
    OrgInvites,
    InviteMails,
    Membership,
    UserOrgs,
    OrgAdmin,
  ],
})
export class OrgsModule {}

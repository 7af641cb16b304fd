import { Global, Module } from '@nestjs/common';
import { OrgResolver } from '../common/access/resolvers.js';
import { CrawlerCatalogModule } from '../drivers/catalog/catalog.module.js';
import { InvitesModule } from '../invites/invites.module.js';
import { JobsDataModule } from '../jobs/data/jobs-data.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { UsersModule } from '../users/users.module.js';
import { OrgsDataModule } from './data/orgs-data.module.js';
import { DefaultOrg } from './default-org.js';
import { ImportFinish } from './import-finish.js';
import { InviteMails } from './invite-mails.js';
import { Membership } from './membership.js';
import { NewMembers } from './new-members.js';
import { OrgAdmin } from './org-admin.js';
import { OrgAdminController } from './org-admin.controller.js';
import { OrgArchiveController } from './org-archive.controller.js';
import { OrgCreation, OrgsByRequest } from './org-creation.js';
import { OrgData } from './org-data.js';
import { OrgDeletion } from './org-deletion.js';
import { OrgExport } from './org-export.js';
import { OrgImport } from './org-import.js';
import { OrgInvites } from './org-invites.js';
import { OrgMembersController, OrgRolesController } from './org-members.controller.js';
import { OrgNames } from './org-names.js';
import { OwnerMails } from './owner-mails.js';
import { OrgReader } from './org-reader.js';
import { OrgRemains } from './org-remains.js';
import { StoredOrgResolver } from './org-resolver.js';
import { OrgSettings } from './org-settings.js';
import { OrgSettingsController } from './org-settings.controller.js';
import { OrgUsage } from './org-usage.js';
import { OrgsController } from './orgs.controller.js';
import { Plans } from './plans.js';
import { StorageCheck } from './storage-check.js';
import { StorageRecalculation } from './storage-recalculation.js';
import { UserDirectoryController } from './user-directory.controller.js';
import { UserDirectory } from './user-directory.js';
import { UserOrgs } from './user-orgs.js';

/** Global: the access guard needs the resolver, and most rooms ask `OrgUsage` and register with `OrgData`. */
@Global()
@Module({
  imports: [OrgsDataModule, UsersModule, InvitesModule, StorageModule, CrawlerCatalogModule, JobsDataModule],
  controllers: [
    OrgsController,
    OrgSettingsController,
    OrgAdminController,
    OrgArchiveController,
    OrgMembersController,
    OrgRolesController,
    UserDirectoryController,
  ],
  providers: [
    { provide: OrgResolver, useClass: StoredOrgResolver },
    OrgUsage,
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
    OrgRemains,
    StorageCheck,
    StorageRecalculation,
    OrgInvites,
    InviteMails,
    Membership,
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

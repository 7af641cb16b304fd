import { Module } from '@nestjs/common';
import { ItemsModule } from '../items/items.module.js';
import { OrgsDataModule } from '../orgs/data/orgs-data.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { SigningModule } from '../signing/signing.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { Custody } from './custody.js';
import { CustodyController } from './custody.controller.js';
import { CustodyFiles } from './custody-files.js';
import { CustodyOfItems } from './custody-of-items.js';
import { CustodyDataModule } from './data/custody-data.module.js';
import { FileSealing } from './file-sealing.js';
import { OrgKeys } from './org-keys.js';
import { OrgSigningKeyController } from './org-keys.controller.js';
import { OrgKeysOfOrg } from './org-keys-of-org.js';

/** Proof of what the archive holds: late signatures, time stamps, and all that is known of an item's files. */
@Module({
  imports: [CustodyDataModule, ItemsModule, OrgsDataModule, OrgsModule, SigningModule, StorageModule],
  controllers: [CustodyController, OrgSigningKeyController],
  providers: [Custody, CustodyFiles, CustodyOfItems, FileSealing, OrgKeys, OrgKeysOfOrg],
})
export class CustodyModule {}

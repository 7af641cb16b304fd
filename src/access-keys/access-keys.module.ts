import { Module } from '@nestjs/common';
import { OrgsModule } from '../orgs/orgs.module.js';
import { OrgKeysController, OwnKeysController } from './access-keys.controllers.js';
import { AccessKeys } from './access-keys.service.js';
import { AccessKeysDataModule } from './data/access-keys-data.module.js';
import { KeyRates } from './key-rates.js';
import { ServiceAccountsController } from './service-accounts.controller.js';
import { ServiceAccounts } from './service-accounts.service.js';
import { KeysOfOrg } from './keys-of-org.js';

/** Provides API keys: what they are, who made them and what for. `auth/` lets callers in by them. */
@Module({
  imports: [AccessKeysDataModule, OrgsModule],
  controllers: [OrgKeysController, OwnKeysController, ServiceAccountsController],
  providers: [AccessKeys, ServiceAccounts, KeysOfOrg, KeyRates],
  exports: [AccessKeysDataModule, KeyRates],
})
export class AccessKeysModule {}

import { DataModule } from '../../database/data-module.js';
import { AccessKeySchema } from './access-key.schema.js';
import { AccessKeysRepository } from './access-keys.repository.js';
import { ServiceAccountSchema } from './service-account.schema.js';
import { ServiceAccountsRepository } from './service-accounts.repository.js';

@DataModule({
  models: { AccessKey: AccessKeySchema, ServiceAccount: ServiceAccountSchema },
  providers: [AccessKeysRepository, ServiceAccountsRepository],
})
export class AccessKeysDataModule {}

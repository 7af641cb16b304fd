import { DataModule } from '../../database/data-module.js';
import { AccessKeySchema } from './access-key.schema.js';
import { AccessKeysRepository } from './access-keys.repository.js';

@DataModule({ models: { AccessKey: AccessKeySchema }, providers: [AccessKeysRepository] })
export class AccessKeysDataModule {}

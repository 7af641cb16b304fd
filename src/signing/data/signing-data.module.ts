import { DataModule } from '../../database/data-module.js';
import { SigningKeySchema } from './signing-key.schema.js';
import { SigningKeysRepository } from './signing-keys.repository.js';

@DataModule({ models: { SigningKey: SigningKeySchema }, providers: [SigningKeysRepository] })
export class SigningDataModule {}

import { DataModule } from '../../database/data-module.js';
import { IdentitiesRepository } from './identities.repository.js';
import { IdentitySchema } from './identity.schema.js';

@DataModule({ models: { Identity: IdentitySchema }, providers: [IdentitiesRepository] })
export class SignInDataModule {}

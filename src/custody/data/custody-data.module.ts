import { DataModule } from '../../database/data-module.js';
import { FileSealSchema } from './file-seal.schema.js';
import { FileSealsRepository } from './file-seals.repository.js';

@DataModule({ models: { FileSeal: FileSealSchema }, providers: [FileSealsRepository] })
export class CustodyDataModule {}

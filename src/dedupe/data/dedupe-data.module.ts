import { DataModule } from '../../database/data-module.js';
import { DedupeHashSchema } from './dedupe-hash.schema.js';
import { DedupeHashesRepository } from './dedupe-hashes.repository.js';
import { DedupeSourceSchema } from './dedupe-source.schema.js';
import { DedupeSourcesRepository } from './dedupe-sources.repository.js';

@DataModule({
  models: { DedupeHash: DedupeHashSchema, DedupeSource: DedupeSourceSchema },
  providers: [DedupeHashesRepository, DedupeSourcesRepository],
})
export class DedupeDataModule {}

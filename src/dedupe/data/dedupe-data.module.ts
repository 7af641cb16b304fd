import { DataModule } from '../../database/data-module.js';
import { DedupeCopiesRepository } from './dedupe-copies.repository.js';
import { DedupeCopySchema } from './dedupe-copy.schema.js';
import { DedupeHashSchema } from './dedupe-hash.schema.js';
import { DedupeHashesRepository } from './dedupe-hashes.repository.js';
import { DedupeSourceSchema } from './dedupe-source.schema.js';
import { DedupeSourcesRepository } from './dedupe-sources.repository.js';

@DataModule({
  models: { DedupeCopy: DedupeCopySchema, DedupeHash: DedupeHashSchema, DedupeSource: DedupeSourceSchema },
  providers: [DedupeCopiesRepository, DedupeHashesRepository, DedupeSourcesRepository],
})
export class DedupeDataModule {}

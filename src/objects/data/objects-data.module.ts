import { DataModule } from '../../database/data-module.js';
import { FileDeletionSchema } from './file-deletion.schema.js';
import { FileDeletionsRepository } from './file-deletions.repository.js';
import { FileOwners } from './file-owners.js';
import { FilePlacesQueries } from './file-places.queries.js';

@DataModule({
  models: { FileDeletion: FileDeletionSchema },
  providers: [FileDeletionsRepository, FileOwners, FilePlacesQueries],
})
export class ObjectsDataModule {}

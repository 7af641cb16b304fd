import { DataModule } from '../../database/data-module.js';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { SEED_FILES, SeedFile, SeedFileSchema } from './seed-file.schema.js';
import { SeedFilesRepository } from './seed-files.repository.js';

@DataModule({
  imports: [ObjectsDataModule],
  models: { SeedFile: SeedFileSchema },
  providers: [SeedFilesRepository, ownsFiles(SeedFile, SEED_FILES)],
})
export class FilesDataModule {}

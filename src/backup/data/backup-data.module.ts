import { DataModule } from '../../database/data-module.js';
import { BackupStateReads } from './backup-state.reads.js';
import { BackupStateSchema } from './backup-state.schema.js';

/** What other rooms ask of backups. */
@DataModule({ models: { BackupState: BackupStateSchema }, providers: [BackupStateReads] })
export class BackupDataModule {}

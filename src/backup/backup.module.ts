import { Module } from '@nestjs/common';
import { modelsOf } from '../database/data-module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { BackupJob } from './backup-job.js';
import { BackupLease } from './backup-lease.js';
import { BackupMaker } from './backup-maker.js';
import { BackupPruner } from './backup-pruner.js';
import { BackupRestorer } from './backup-restorer.js';
import { BackupVerifier } from './backup-verifier.js';
import { BackupStateRepository } from './data/backup-state.repository.js';
import { BackupStateSchema } from './data/backup-state.schema.js';
import { DatabaseSnapshots } from './data/database-snapshots.js';
import { RestoredDatabaseRepository } from './data/restored-database.repository.js';
import { ObjectCopier } from './object-copier.js';
import { RehearsalJob } from './rehearsal-job.js';

/** Backs the archive up while the service runs, and restores it into an empty one. */
@Module({
  imports: [JobsModule, modelsOf({ BackupState: BackupStateSchema }), ObjectsModule, StorageModule],
  providers: [
    BackupJob,
    BackupLease,
    BackupMaker,
    BackupPruner,
    BackupRestorer,
    BackupStateRepository,
    BackupVerifier,
    DatabaseSnapshots,
    ObjectCopier,
    RehearsalJob,
    RestoredDatabaseRepository,
  ],
  exports: [BackupMaker, BackupRestorer, BackupVerifier, RestoredDatabaseRepository],
})
export class BackupModule {}

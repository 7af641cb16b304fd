import { Module } from '@nestjs/common';
import { BackupDataModule } from '../backup/data/backup-data.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { OrgsDataModule } from '../orgs/data/orgs-data.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { ObjectsDataModule } from './data/objects-data.module.js';
import { FileRemover } from './file-remover.js';
import { FileStaging } from './file-staging.js';
import { Fixity } from './fixity.js';
import { FixityJob } from './fixity-job.js';
import { ReplicaDeletions } from './replica-deletions.js';
import { Replication } from './replication.js';
import { UploadSweep } from './upload-sweep.js';

/** Writes stored objects, copies them, verifies them against their records and deletes them. */
@Module({
  imports: [BackupDataModule, JobsModule, ObjectsDataModule, OrgsDataModule, StorageModule],
  providers: [FileRemover, FileStaging, Fixity, FixityJob, ReplicaDeletions, Replication, UploadSweep],
  exports: [FileRemover, FileStaging, Fixity, FixityJob, ObjectsDataModule],
})
export class ObjectsModule {}

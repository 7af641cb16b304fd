import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { FailedJobDigest, FailedJobDigestSchema } from './failed-job-digest.schema.js';
import { FailedJobDigests } from './failed-job-digests.repository.js';
import { Job, JobSchema } from './job.schema.js';
import { JobsQueries } from './jobs.queries.js';
import { JobsRepository } from './jobs.repository.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Job.name, schema: JobSchema },
      { name: FailedJobDigest.name, schema: FailedJobDigestSchema },
    ]),
  ],
  providers: [FailedJobDigests, JobsRepository, JobsQueries],
  exports: [FailedJobDigests, JobsRepository, JobsQueries],
})
export class JobsDataModule {}

import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.js';
import { UsersDataModule } from '../users/data/users-data.module.js';
import { AllJobsController } from './all-jobs.controller.js';
import { CronStarter } from './cron-starter.js';
import { modelsOf } from '../database/data-module.js';
import { FailedJobDigestSchema } from './data/failed-job-digest.schema.js';
import { FailedJobDigests } from './data/failed-job-digests.repository.js';
import { JobSchema } from './data/job.schema.js';
import { JobsQueries } from './data/jobs.queries.js';
import { JobsRepository } from './data/jobs.repository.js';
import { FailedJobNotice } from './failed-job-notice.js';
import { JobHandlers } from './job-handlers.js';
import { JobStarter } from './job-starter.js';
import { JobWorker } from './job-worker.js';
import { JobsService } from './jobs.service.js';
import { MailedJobNotice } from './mailed-job-notice.js';
import { OrgJobsController } from './org-jobs.controller.js';

/** The queue of background jobs. Other rooms start jobs, and register handlers for them. */
@Module({
  imports: [modelsOf({ Job: JobSchema, FailedJobDigest: FailedJobDigestSchema }), MailModule, UsersDataModule],
  controllers: [AllJobsController, OrgJobsController],
  providers: [
    FailedJobDigests,
    JobsRepository,
    JobsQueries,
    CronStarter,
    JobHandlers,
    JobWorker,
    JobStarter,
    JobsService,
    { provide: FailedJobNotice, useClass: MailedJobNotice },
  ],
  exports: [JobsRepository, JobStarter],
})
export class JobsModule {}

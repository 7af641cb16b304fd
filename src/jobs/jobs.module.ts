import { Global, Module } from '@nestjs/common';
import { UsersDataModule } from '../users/data/users-data.module.js';
import { AllJobsController } from './all-jobs.controller.js';
import { CronStarter } from './cron-starter.js';
import { JobsDataModule } from './data/jobs-data.module.js';
import { FailedJobNotice } from './failed-job-notice.js';
import { JobHandlers } from './job-handlers.js';
import { JobStarter } from './job-starter.js';
import { JobWorker } from './job-worker.js';
import { JobsService } from './jobs.service.js';
import { MailedJobNotice } from './mailed-job-notice.js';
import { OrgJobsController } from './org-jobs.controller.js';

/** The queue of background jobs; rooms start them and register what they do. */
@Global()
@Module({
  imports: [JobsDataModule, UsersDataModule],
  controllers: [AllJobsController, OrgJobsController],
  providers: [
    CronStarter,
    JobHandlers,
    JobWorker,
    JobStarter,
    JobsService,
    { provide: FailedJobNotice, useClass: MailedJobNotice },
  ],
  exports: [CronStarter, JobHandlers, JobWorker, JobStarter],
})
export class JobsModule {}

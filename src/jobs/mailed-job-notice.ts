import { Injectable, Logger } from '@nestjs/common';
import { mailTime } from '../mail/mail-time.js';
import { Mails } from '../mail/mails.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { Job } from './data/job.schema.js';
import { FailedJobNotice } from './failed-job-notice.js';
import { toBackgroundJob } from './job.presenter.js';

/** Mails failed jobs to the superuser, and logs them. Contract: accounts §13.1 `failedBgJob`. */
@Injectable()
export class MailedJobNotice extends FailedJobNotice {
  private readonly logger = new Logger('jobs');

  constructor(
    private readonly users: UsersRepository,
    private readonly mails: Mails,
  ) {
    super();
  }

  override async send(job: Job): Promise<void> {
    this.logger.error({ event: 'job_failed', jobId: job._id, type: job.type, oid: job.oid, reason: job.error });
    try {
      const superuser = await this.users.findSuperuser();
      if (!superuser) return;
      this.mails.send('failedBgJob', superuser.email, {
        job: { ...toBackgroundJob({ ...job, logs: undefined }) },
        org: job.oid,
        finished: mailTime(job.finished ?? job.started),
      });
    } catch (error) {
      // The log has it; a notice is no reason for the queue to stop.
      this.logger.error({ event: 'job_notice_failed', jobId: job._id, err: error });
    }
  }
}

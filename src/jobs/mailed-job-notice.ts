import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { mailTime } from '../mail/mail-time.js';
import { Mails } from '../mail/mails.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { FailedJobDigests } from './data/failed-job-digests.repository.js';
import type { Job } from './data/job.schema.js';
import { FailedJobNotice } from './failed-job-notice.js';
import { toBackgroundJob } from './job.presenter.js';

/**
 * Mails failed jobs to the superuser, and logs them. The first failure has a mail of its own (accounts §13.1
 * `failedBgJob`). Failures within `mail.failedJobsDigestMinutes` after it share one more mail, because what makes one
 * job fail often makes thousands fail.
 */
@Injectable()
export class MailedJobNotice extends FailedJobNotice {
  private readonly logger = new Logger('jobs');

  constructor(
    private readonly users: UsersRepository,
    private readonly mails: Mails,
    private readonly digests: FailedJobDigests,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async send(job: Job): Promise<void> {
    this.logger.error({ event: 'job_failed', jobId: job._id, type: job.type, oid: job.oid, reason: job.error });
    try {
      const isCollected = this.config.mail.failedJobsDigestMinutes > 0;
      if (isCollected && !(await this.digests.add(job, this.clock.now()))) return;
      const superuser = await this.users.findSuperuser();
      if (!superuser) return;
      this.mails.send('failedBgJob', superuser.email, {
        job: { ...toBackgroundJob({ ...job, logs: undefined }) },
        org: job.oid,
        finished: mailTime(job.finished ?? job.started),
      });
    } catch (error) {
      // The log already has the failure. A mail that cannot be sent must not stop the queue.
      this.logger.error({ event: 'job_notice_failed', jobId: job._id, err: error });
    }
  }

  @Interval(minutes(1))
  override async sendDigest(): Promise<void> {
    const window = minutes(this.config.mail.failedJobsDigestMinutes);
    try {
      const found = await this.digests.takeBegunBy(new Date(this.clock.nowMs() - window));
      if (!found || found.count < 2) return;
      const superuser = await this.users.findSuperuser();
      if (!superuser) return;
      this.mails.send('failedBgJobs', superuser.email, {
        count: found.count,
        since: mailTime(found.since),
        until: mailTime(this.clock.now()),
        types: Object.entries(found.types).map(([type, count]) => ({ type, count })),
        job_ids: found.jobIds,
      });
    } catch (error) {
      this.logger.error({ event: 'job_digest_failed', err: error });
    }
  }
}

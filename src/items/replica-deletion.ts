import { Injectable } from '@nestjs/common';
import { HandlesJob, type JobHandler } from '../jobs/job-handlers.js';
import type { Job } from '../jobs/data/job.schema.js';
import { JobsRepository } from '../jobs/data/jobs.repository.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { Storages } from '../storage/storages.js';

/** Deletes copies of files that are gone, by the job's own record of them. Contract: archive.md §2.6, §10. */
@HandlesJob('delete-replica')
@Injectable()
export class ReplicaDeletion implements JobHandler {
  readonly concurrency = 4;
  readonly maxTries = 3;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
  ) {}

  /** @throws StorageError */
  async run(job: Job): Promise<void> {
    const { oid, file_path: filename, replica_storage: ref } = job;
    if (!oid || !filename || !ref) return;
    const org = await this.orgs.findById(oid);
    const store = org ? this.storages.resolve(org, ref) : this.storages.resolveDefault(ref);
    await store.delete(filename);
    await this.jobs.clearSchedule(job._id);
  }

  async failed(job: Job): Promise<void> {
    await this.jobs.clearSchedule(job._id);
  }
}

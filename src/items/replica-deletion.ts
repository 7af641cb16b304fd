import { Injectable } from '@nestjs/common';
import { literal, nullable } from '../common/validation/composites.js';
import { Field } from '../common/validation/model.js';
import { str } from '../common/validation/scalars.js';
import { ReplicaJobFields, replicaOf } from '../jobs/dto/replica-job-fields.dto.js';
import { HandlesJob, type JobHandler } from '../jobs/job-handlers.js';
import type { Job } from '../jobs/data/job.schema.js';
import { JobsRepository } from '../jobs/data/jobs.repository.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { Storages } from '../storage/storages.js';

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    'delete-replica': true;
  }
}

export class DeleteReplicaJob extends ReplicaJobFields {
  @Field(literal('delete-replica'), { default: 'delete-replica' }) type!: 'delete-replica';
  @Field(nullable(str()), { default: null }) schedule!: string | null;
}

/** Deletes copies of files that are gone, by the job's own record of them. Contract: archive.md §2.6, §10. */
@HandlesJob({
  type: 'delete-replica',
  after: 'create-replica',
  body: DeleteReplicaJob,
  show: (job) => ({ ...replicaOf(job), schedule: job.schedule ?? null }),
})
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

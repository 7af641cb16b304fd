import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { days } from '../common/units/durations.js';
import { Str, OneOf } from '../common/validation/fields.js';
import { AppConfig } from '../config/app-config.js';
import type { Tx } from '../database/unit-of-work.js';
import type { Job } from '../jobs/data/job.schema.js';
import { JobsRepository } from '../jobs/data/jobs.repository.js';
import { ReplicaJobFields, replicaOf } from '../jobs/dto/jobs.dto.js';
import { HandlesJob, type JobHandler } from '../jobs/job-handlers.js';
import { JobStarter } from '../jobs/job-starter.js';
import { OrgsReads } from '../orgs/data/orgs.reads.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { Storages } from '../storage/storages.js';

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'delete-replica': true;
  }
}

export class DeleteReplicaJob extends ReplicaJobFields {
  @OneOf(['delete-replica']) type = 'delete-replica' as const;
  @Str({ nullable: true }) schedule: string | null = null;
}

/** The owner of the files that are copied or deleted, which replica jobs show. */
export interface CopyOwner {
  readonly type: 'crawl' | 'upload' | 'profile';
  readonly id: string;
}

export interface CopiedFile {
  readonly filename: string;
  readonly replicas?: readonly StorageRef[] | null;
}

/** Writes a moment as `min hour day month *`, as the reference schedules a delayed deletion. */
const cronOf = (at: Date): string =>
  `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;

/**
 * Deletes the replicas of deleted files. There is one job for each copy, due after the deployment's delay. Contract:
 * archive.md §2.6, §10.
 */
@HandlesJob({
  type: 'delete-replica',
  after: 'create-replica',
  // The deletions may wait for days, so that the org may be deleted before they run.
  outlivesOrg: 'unfinished',
  body: DeleteReplicaJob,
  show: (job) => ({ ...replicaOf(job), schedule: job.schedule ?? null }),
})
@Injectable()
export class ReplicaDeletions implements JobHandler {
  readonly concurrency = 4;
  readonly maxTries = 3;

  constructor(
    private readonly starter: JobStarter,
    private readonly jobs: JobsRepository,
    private readonly orgs: OrgsReads,
    private readonly storages: Storages,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  async plan(oid: string, files: readonly CopiedFile[], owner: CopyOwner, tx?: Tx): Promise<void> {
    const delayDays = this.config.storage.replicaDeletionDelayDays;
    const dueAt = new Date(this.clock.nowMs() + days(delayDays));
    for (const { filename, replicas } of files) {
      for (const { name, custom } of replicas ?? []) {
        const fields = {
          file_path: filename,
          object_type: owner.type,
          object_id: owner.id,
          replica_storage: { name, custom: custom ?? false },
          schedule: delayDays > 0 ? cronOf(dueAt) : null,
        };
        await this.starter.start('delete-replica', { oid, fields, dueAt, tx });
      }
    }
  }

  /** @throws StorageError */
  async run(job: Job): Promise<void> {
    const { oid, file_path: filename, replica_storage: ref } = job;
    if (!oid || !filename || !ref) return;
    const org = await this.orgs.findById(oid);
    // An org's own storage is gone with the org.
    if (ref.custom && !org) return;
    await this.storages.resolve(org ?? {}, ref).delete(filename);
    await this.jobs.clearSchedule(job._id);
  }

  async failed(job: Job): Promise<void> {
    await this.jobs.clearSchedule(job._id);
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { days } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import type { Tx } from '../database/unit-of-work.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { JobStarter } from './job-starter.js';

/** Whose files are deleted: shown with the jobs that delete the copies. */
export interface FileOwner {
  readonly type: 'crawl' | 'upload' | 'profile';
  readonly id: string;
}

export interface CopiedFile {
  readonly filename: string;
  readonly replicas?: readonly StorageRef[] | null;
}

/** `min hour day month *`, as the reference schedules a delayed deletion. */
const cronOf = (at: Date): string =>
  `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;

/** Plans the deletion of copies whose file goes: one job per copy, after the deployment's delay. Contract: archive §2.6. */
@Injectable()
export class ReplicaDeletions {
  constructor(
    private readonly jobs: JobStarter,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  async plan(oid: string, files: readonly CopiedFile[], owner: FileOwner, tx?: Tx): Promise<void> {
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
        await this.jobs.start('delete-replica', { oid, fields, dueAt, tx });
      }
    }
  }
}

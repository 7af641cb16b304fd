import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { days, minutes } from '../common/units/durations.js';
import type { Tx } from '../database/unit-of-work.js';
import { JobStarter } from '../jobs/job-starter.js';
import { AppConfig } from '../config/app-config.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { Storages } from '../storage/storages.js';
import { FileDeletionsRepository } from './data/file-deletions.repository.js';
import type { FileDeletion } from './data/file-deletion.schema.js';
import type { StoredFile } from './data/stored-file.schema.js';

/** Whoever planned a deletion carries it out within this; later another process does. */
const LEASE_MS = minutes(5);
const MAX_RETRY_MS = minutes(360);

/** Whose files are deleted: shown with the jobs that delete the copies. */
export interface FileOwner {
  readonly type: 'crawl' | 'upload' | 'profile';
  readonly id: string;
}

/** `min hour day month *`, as the reference schedules a delayed deletion. */
const cronOf = (at: Date): string =>
  `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;

/**
 * Deletes objects in two steps: the plan is written in the transaction that drops the last reference, the objects go
 * after it. What a crash or a store that is down leaves is deleted later.
 */
@Injectable()
export class FileRemover {
  private readonly logger = new Logger('items');

  constructor(
    private readonly deletions: FileDeletionsRepository,
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
    private readonly jobs: JobStarter,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** @returns what to carry out after the commit, or null when there is nothing to delete */
  async plan(oid: string, files: readonly StoredFile[], tx?: Tx, owner?: FileOwner): Promise<string | null> {
    await this.planReplicas(oid, files, { tx, owner });
    return this.write(oid, files, LEASE_MS, tx);
  }

  /** Leaves the deletion to the next `recover`, for changes that nobody waits for. */
  async planForLater(oid: string, files: readonly StoredFile[], tx: Tx, owner?: FileOwner): Promise<void> {
    await this.planReplicas(oid, files, { tx, owner });
    await this.write(oid, files, 0, tx);
  }

  /** One job per copy, after the deployment's delay. Contract: archive.md §2.6. */
  private async planReplicas(
    oid: string,
    files: readonly StoredFile[],
    { tx, owner = { type: 'crawl', id: '' } }: { tx?: Tx; owner?: FileOwner },
  ): Promise<void> {
    const delayDays = this.config.storage.replicaDeletionDelayDays;
    const dueAt = new Date(this.clock.nowMs() + days(delayDays));
    for (const { filename, replicas } of files) {
      for (const { name, custom } of replicas ?? []) {
        const fields = {
          file_path: filename,
          object_type: owner.type,
          object_id: owner.id,
          replica_storage: { name, custom },
          schedule: delayDays > 0 ? cronOf(dueAt) : null,
        };
        await this.jobs.start('delete-replica', { oid, fields, dueAt, tx });
      }
    }
  }

  private async write(oid: string, files: readonly StoredFile[], leaseMs: number, tx?: Tx): Promise<string | null> {
    if (files.length === 0) return null;
    const now = this.clock.now();
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const deletion = { _id: newId(), oid, files: [...files], created: now, attempts: 1, leaseUntil };
    await this.deletions.insert(deletion, tx);
    return deletion._id;
  }

  /** @returns false when some object could not be deleted now; it is tried again later */
  async carryOut(planned: string | null): Promise<boolean> {
    if (planned === null) return true;
    const deletion = await this.deletions.find(planned);
    return deletion === null || this.deleteAll(deletion);
  }

  /** Takes over what others left. @returns how many plans were claimed */
  async recover(max = 20): Promise<number> {
    for (let claimed = 0; claimed < max; claimed++) {
      const now = this.clock.now();
      const deletion = await this.deletions.claimDue(now, new Date(now.getTime() + LEASE_MS));
      if (!deletion) return claimed;
      await this.deleteAll(deletion);
    }
    return max;
  }

  private async deleteAll(deletion: FileDeletion): Promise<boolean> {
    const org = await this.orgs.findById(deletion.oid);
    const left: StoredFile[] = [];
    for (const file of deletion.files) {
      try {
        const store = org ? this.storages.resolve(org, file.storage) : this.storages.resolveDefault(file.storage);
        await store.delete(file.filename);
      } catch (error) {
        left.push(file);
        this.logger.warn({ event: 'file_not_deleted', oid: deletion.oid, file: file.filename, err: error });
      }
    }
    if (left.length === 0) {
      await this.deletions.remove(deletion._id);
      return true;
    }
    const wait = Math.min(minutes(1) * 2 ** deletion.attempts, MAX_RETRY_MS);
    await this.deletions.postpone(deletion._id, left, new Date(this.clock.nowMs() + wait));
    return false;
  }
}

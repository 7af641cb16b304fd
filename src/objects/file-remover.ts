import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { isDatabaseAway } from '../common/errors/database-away.js';
import { newId } from '../common/ids/uuid.js';
import { minutes, seconds } from '../common/units/durations.js';
import { NEVER } from '../database/failing.js';
import type { Tx } from '../database/unit-of-work.js';
import { ReplicaDeletions, type CopyOwner } from './replica-deletions.js';
import { OrgsReads } from '../orgs/data/orgs.reads.js';
import { Storages } from '../storage/storages.js';
import { FileDeletionsRepository } from './data/file-deletions.repository.js';
import type { FileDeletion } from './data/file-deletion.schema.js';
import type { StoredFile } from './data/stored-file.schema.js';
import { unseenFile, wasSeen, type ObjectName } from './object-name.js';

/** Whoever planned a deletion carries it out within this; later another process does. */
const LEASE_MS = minutes(5);
const MAX_RETRY_MS = minutes(360);
/** Five days with ever longer waits: a store that is away that long is not only down. */
const MAX_ATTEMPTS = 30;

const NOBODY: CopyOwner = { type: 'crawl', id: '' };

/**
 * Deletes objects in two steps: the plan is written in the transaction that drops the last reference, the objects go
 * after it. What a crash or a store that is down leaves is deleted later.
 */
@Injectable()
export class FileRemover {
  private readonly logger = new Logger('objects');

  constructor(
    private readonly deletions: FileDeletionsRepository,
    private readonly orgs: OrgsReads,
    private readonly storages: Storages,
    private readonly copies: ReplicaDeletions,
    private readonly clock: Clock,
  ) {}

  /** @returns what to carry out after the commit, or null when there is nothing to delete */
  async plan(oid: string, files: readonly StoredFile[], tx?: Tx, owner?: CopyOwner): Promise<string | null> {
    await this.copies.plan(oid, files, owner ?? NOBODY, tx);
    return this.write(oid, files, LEASE_MS, tx);
  }

  /** Leaves the deletion to the next `recover`, for changes that nobody waits for. */
  async planForLater(oid: string, files: readonly StoredFile[], tx: Tx, owner?: CopyOwner): Promise<void> {
    await this.copies.plan(oid, files, owner ?? NOBODY, tx);
    await this.write(oid, files, 0, tx);
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

  /** Deletes what is there, and leaves the plan: `recover` does it again for what appears until the lease is over. */
  async deleteForNow(planned: string | null): Promise<void> {
    const deletion = planned === null ? null : await this.deletions.find(planned);
    if (deletion) await this.deleteObjects(deletion);
  }

  /**
   * Deletes an object that no record tells of and that a write which nobody waits for any longer may still make: now, and
   * again by `recover`, when the lease is over.
   */
  async deleteStray(oid: string, object: ObjectName): Promise<void> {
    const planned = await this.write(oid, [unseenFile(object)], LEASE_MS);
    await this.deleteForNow(planned);
  }

  /** Takes back what `deleteStray` left to do: the object is to be made again. */
  async spareStray(object: ObjectName): Promise<void> {
    await this.deletions.removeStray(object);
  }

  /** Takes over what others left. @returns how many plans were claimed */
  @Interval(seconds(10))
  async recover(max = 20): Promise<number> {
    for (let claimed = 0; claimed < max; claimed++) {
      const now = this.clock.now();
      const deletion = await this.deletions.claimDue(now, new Date(now.getTime() + LEASE_MS));
      if (!deletion) return claimed;
      try {
        await this.deleteAll(deletion);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        this.logger.error({ event: 'deletion_failed', oid: deletion.oid, deletionId: deletion._id, err: error });
        await this.deletions.postpone(deletion._id, null, this.nextTry(deletion));
      }
    }
    return max;
  }

  private async deleteAll(deletion: FileDeletion): Promise<boolean> {
    const left = await this.deleteObjects(deletion);
    if (left.length === 0) {
      await this.deletions.remove(deletion._id);
      return true;
    }
    await this.deletions.postpone(deletion._id, left, this.nextTry(deletion));
    return false;
  }

  /** Never, after so many: `check` reports it then. */
  private nextTry({ _id: deletionId, oid, attempts }: FileDeletion): Date {
    if (attempts >= MAX_ATTEMPTS) {
      this.logger.error({ event: 'deletion_set_aside', oid, deletionId, attempts });
      return NEVER;
    }
    return new Date(this.clock.nowMs() + Math.min(minutes(1) * 2 ** attempts, MAX_RETRY_MS));
  }

  /** @returns those that could not be deleted */
  private async deleteObjects(deletion: FileDeletion): Promise<StoredFile[]> {
    const org = await this.orgs.findById(deletion.oid);
    const left: StoredFile[] = [];
    for (const file of deletion.files) {
      try {
        const store = this.storages.resolve(org ?? {}, file.storage);
        await (wasSeen(file) ? store.delete(file.filename) : store.abandon(file.filename));
      } catch (error) {
        left.push(file);
        this.logger.warn({ event: 'file_not_deleted', oid: deletion.oid, file: file.filename, err: error });
      }
    }
    return left;
  }
}

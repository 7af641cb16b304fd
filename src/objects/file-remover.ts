import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { isDatabaseAway } from '../common/errors/database-away.js';
import { minutes, seconds } from '../common/units/durations.js';
import { NEVER } from '../database/failing.js';
import { LeasedWorker, type ClaimedWork } from '../database/leased-worker.js';
import type { Held, Lease } from '../database/leases.js';
import type { Tx } from '../database/unit-of-work.js';
import { ReplicaDeletions, type CopyOwner } from './replica-deletions.js';
import { OrgsReads } from '../orgs/data/orgs.reads.js';
import { BackupStateReads } from '../backup/data/backup-state.reads.js';
import { Storages } from '../storage/storages.js';
import { FileDeletionsRepository } from './data/file-deletions.repository.js';
import type { FileDeletion } from './data/file-deletion.schema.js';
import type { StoredFile } from './data/stored-file.schema.js';
import { unseenFile, wasSeen, type ObjectName } from './object-name.js';

/**
 * Deletions that one process carries out at once. Most of their time is spent waiting for a store, and one store may be
 * down.
 */
const MAX_AT_ONCE = 16;
const MAX_RETRY_MS = minutes(360);
/** The tries take about five days, with growing waits. A store that is away longer is not just down for a while. */
const MAX_ATTEMPTS = 30;

const NOBODY: CopyOwner = { type: 'crawl', id: '' };

/**
 * Deletes objects in two steps. The plan is written in the transaction that drops the last reference. The objects are
 * deleted after the commit. What is left by a crash, or by a store that is down, is deleted later.
 */
@Injectable()
export class FileRemover extends LeasedWorker<Held<FileDeletion>> {
  constructor(
    private readonly deletions: FileDeletionsRepository,
    private readonly orgs: OrgsReads,
    private readonly storages: Storages,
    private readonly copies: ReplicaDeletions,
    private readonly backups: BackupStateReads,
    private readonly clock: Clock,
  ) {
    super(deletions.leases, new Logger('objects'));
  }

  /**
   * Plans the deletion of files and of their copies.
   * @returns the plan to carry out after the commit, or null when there is nothing to delete
   */
  async plan(oid: string, files: readonly StoredFile[], tx?: Tx, owner?: CopyOwner): Promise<Lease | null> {
    await this.copies.plan(oid, files, owner ?? NOBODY, tx);
    return files.length > 0 ? this.deletions.plan({ oid, files, attempts: 1 }, { tx }) : null;
  }

  /** Plans a deletion that the next `look` carries out, for changes that nobody waits for. */
  async planForLater(oid: string, files: readonly StoredFile[], tx: Tx, owner?: CopyOwner): Promise<void> {
    await this.copies.plan(oid, files, owner ?? NOBODY, tx);
    if (files.length > 0) await this.deletions.plan({ oid, files, attempts: 1 }, { isDue: true, tx });
  }

  /**
   * Carries out a plan. While a backup runs, the plan waits for its end, because the backup may still copy the objects.
   * @returns false when some object could not be deleted now; it is tried again later
   */
  async carryOut(planned: Lease | null): Promise<boolean> {
    const held = planned && (await this.deletions.find(planned));
    if (!held) return true;
    if (!(await this.backups.isRunning())) return this.deleteAll(held);
    await this.deletions.leases.giveBack([held.lease], this.clock.now());
    return true;
  }

  /**
   * Deletes the objects that exist now and keeps the plan. When the lease ends, the plan is carried out again for
   * objects that appeared since.
   */
  async deleteForNow(planned: Lease | null): Promise<void> {
    if (await this.backups.isRunning()) return;
    const held = planned && (await this.deletions.find(planned));
    if (held) await this.deleteObjects(held.record);
  }

  /**
   * Deletes an object that no record names, now and again when the lease ends. An abandoned write may still store the
   * object in between.
   */
  async deleteStray(oid: string, object: ObjectName): Promise<void> {
    await this.deleteForNow(await this.deletions.plan({ oid, files: [unseenFile(object)], attempts: 1 }));
  }

  /** Withdraws the plans of `deleteStray` for an object that is to be written again. */
  async spareStray(object: ObjectName): Promise<void> {
    await this.deletions.removeStray(object);
  }

  /** Takes over plans that other processes left. */
  @Interval(seconds(10))
  override look(): Promise<number> {
    return super.look();
  }

  protected async claim(): Promise<ClaimedWork<Held<FileDeletion>>> {
    if (this.underWay.length >= MAX_AT_ONCE || (await this.backups.isRunning())) return { held: [], more: false };
    const held = await this.deletions.claimNext();
    return { held: held ? [held] : [], more: held !== null };
  }

  protected async work(held: Held<FileDeletion>): Promise<void> {
    try {
      await this.deleteAll(held, this.stopping);
    } catch (error) {
      if (isDatabaseAway(error) || this.stopping.aborted) throw error;
      const { oid, _id: deletionId } = held.record;
      this.logger.error({ event: 'deletion_failed', oid, deletionId, err: error });
      await this.deletions.leases.giveBack([held.lease], this.nextTry(held.record));
    }
  }

  private async deleteAll({ record, lease }: Held<FileDeletion>, stop?: AbortSignal): Promise<boolean> {
    const files = await this.deleteObjects(record, stop);
    if (files.length === 0) await this.deletions.remove(lease);
    else await this.deletions.leases.giveBack([lease], this.nextTry(record), { $set: { files } });
    return files.length === 0;
  }

  /** Returns when a plan is tried again: never after `MAX_ATTEMPTS`. `check` then reports the objects. */
  private nextTry({ _id: deletionId, oid, attempts }: FileDeletion): Date {
    if (attempts >= MAX_ATTEMPTS) {
      this.logger.error({ event: 'deletion_set_aside', oid, deletionId, attempts });
      return NEVER;
    }
    return new Date(this.clock.nowMs() + Math.min(minutes(1) * 2 ** attempts, MAX_RETRY_MS));
  }

  /** @returns the files that could not be deleted */
  private async deleteObjects(deletion: FileDeletion, stop?: AbortSignal): Promise<StoredFile[]> {
    const org = await this.orgs.findById(deletion.oid);
    const left: StoredFile[] = [];
    for (const file of deletion.files) {
      stop?.throwIfAborted();
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

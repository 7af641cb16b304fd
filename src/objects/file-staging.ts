import type { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { minutes } from '../common/units/durations.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import type { Tx } from '../database/unit-of-work.js';
import type { Org } from '../orgs/data/org.schema.js';
import type { PutOptions } from '../storage/put-options.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { Storages } from '../storage/storages.js';
import { FileDeletionsRepository } from './data/file-deletions.repository.js';
import type { StoredFile } from './data/stored-file.schema.js';
import { FileRemover } from './file-remover.js';
import { unseenFile, type ObjectName } from './object-name.js';

/** After this without a renewal the writer counts as dead, and what it wrote is deleted. */
const LEASE_MS = minutes(5);
const RENEW_MS = minutes(1);

/** An object that was written but that no document refers to yet. */
export interface StagedFile {
  readonly oid: string;
  readonly file: StoredFile;
  readonly planId: string;
  /** The lease as it stands; moves on while the object is written. */
  readonly lease: Date;
}

/** The plan to delete a staged object was claimed by another process: the writer was taken for dead. */
export class StagingLost extends Error {}

/**
 * Writes objects so that a crash leaves none behind: the plan to delete the object is stored before its first byte,
 * renewed while it is written, and withdrawn in the transaction that makes a document refer to it.
 */
@Injectable()
export class FileStaging {
  private readonly logger = new Logger('objects');

  constructor(
    private readonly deletions: FileDeletionsRepository,
    private readonly remover: FileRemover,
    private readonly storages: Storages,
    private readonly clock: Clock,
  ) {}

  /**
   * Streams `body` to a new object of the org. When it throws, the object is gone or will be.
   * @throws what `ObjectStore.put` throws
   */
  async put(
    org: Org,
    target: { filename: string; storage: StorageRef },
    body: Readable | Buffer,
    options: PutOptions = {},
  ): Promise<StagedFile> {
    const empty = unseenFile(target);
    const store = this.storages.resolve(org, empty.storage);
    const plan = { oid: org._id, planId: newId(), lease: this.leaseFrom(this.clock.now()) };
    await this.planDeletion(plan, empty);
    const stopRenewing = this.keepLease(plan);
    try {
      const { size, sha256, crc32 } = await store.put(target.filename, body, options);
      return Object.assign(plan, { file: { ...empty, size, hash: sha256, crc32 } });
    } catch (error) {
      await (store.mayStoreLate ? this.remover.deleteForNow(plan.planId) : this.remover.carryOut(plan.planId));
      throw error;
    } finally {
      await stopRenewing();
    }
  }

  /** Part of the transaction that stores the documents with these files. @throws StagingLost, which aborts it */
  async keep(staged: readonly StagedFile[], tx: Tx): Promise<void> {
    for (const { oid, planId, lease, file } of staged) {
      if (await this.deletions.withdraw(planId, lease, tx)) continue;
      // It may have been carried out before the object was whole, so it is planned once more, whatever becomes of `tx`.
      await this.planDeletion({ oid, planId: newId(), lease: this.clock.now() }, file);
      throw new StagingLost(`the plan of ${file.filename} was claimed by another process`);
    }
  }

  /**
   * Plans the deletion of an object that somebody else is about to write, or moves that on. In a transaction that sees no
   * document which refers to the object.
   * @param planId the same in all calls about this object
   * @throws StagingLost, which aborts it
   */
  async expect(oid: string, planId: string, object: ObjectName, tx: Tx): Promise<void> {
    const now = this.clock.now();
    const plan = {
      _id: planId,
      oid,
      files: [unseenFile(object)],
      created: now,
      attempts: 0,
      leaseUntil: this.leaseFrom(now),
    };
    try {
      await this.deletions.renewOrInsert(plan, tx);
    } catch (error) {
      if (isDuplicateKey(error)) throw new StagingLost(`the plan of ${object.filename} was claimed by another process`);
      throw error;
    }
  }

  /** Part of the transaction that stores the document with an expected object. @throws StagingLost, which aborts it */
  async keepExpected(planId: string, tx: Tx): Promise<void> {
    if (await this.deletions.withdrawUnclaimed(planId, tx)) return;
    throw new StagingLost(`the plan ${planId} was claimed by another process`);
  }

  /** Deletes staged objects that are not wanted after all; what cannot be deleted now is deleted later. */
  async discard(staged: readonly StagedFile[]): Promise<void> {
    for (const { planId } of staged) await this.remover.carryOut(planId);
  }

  private async planDeletion(plan: Pick<StagedFile, 'oid' | 'planId' | 'lease'>, file: StoredFile): Promise<void> {
    const { oid, planId: _id, lease: leaseUntil } = plan;
    await this.deletions.insert({ _id, oid, files: [file], created: this.clock.now(), attempts: 0, leaseUntil });
  }

  private leaseFrom(now: Date): Date {
    return new Date(now.getTime() + LEASE_MS);
  }

  /** @returns ends the renewing, and waits for one under way, so that `lease` is what is stored */
  private keepLease(plan: { planId: string; lease: Date }): () => Promise<void> {
    let underWay = Promise.resolve();
    const renew = async (): Promise<void> => {
      const next = this.leaseFrom(this.clock.now());
      if (await this.deletions.renew(plan.planId, plan.lease, next)) plan.lease = next;
    };
    const timer = setInterval(() => {
      underWay = renew().catch((error: unknown) => {
        this.logger.warn({ event: 'staging_not_renewed', planId: plan.planId, err: error });
      });
    }, RENEW_MS);
    timer.unref();
    return () => {
      clearInterval(timer);
      return underWay;
    };
  }
}

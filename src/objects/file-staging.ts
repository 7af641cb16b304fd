import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Lease } from '../database/leases.js';
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

/** An object that was written and that no document refers to yet. */
export interface StagedFile {
  readonly oid: string;
  readonly file: StoredFile;
  /** Lease of the plan to delete the object. When it ends, the writer is taken for dead. */
  readonly lease: Lease;
}

/** Another process claimed the plan to delete a staged object, because it took the writer for dead. */
export class StagingLost extends Error {}

/**
 * Writes objects so that a crash leaves none behind. The plan to delete the object is stored before its first byte and
 * renewed during the write. The transaction that makes a document refer to the object withdraws the plan.
 */
@Injectable()
export class FileStaging {
  constructor(
    private readonly deletions: FileDeletionsRepository,
    private readonly remover: FileRemover,
    private readonly storages: Storages,
  ) {}

  /**
   * Streams `body` to a new object of the org. When this throws, the object is deleted now or later.
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
    const lease = await this.deletions.plan({ oid: org._id, files: [empty], attempts: 0 });
    this.deletions.leases.keep(lease);
    try {
      const { size, sha256, crc32 } = await store.put(target.filename, body, options);
      return { oid: org._id, lease, file: { ...empty, size, hash: sha256, crc32 } };
    } catch (error) {
      await (store.mayStoreLate ? this.remover.deleteForNow(lease) : this.remover.carryOut(lease));
      throw error;
    } finally {
      this.deletions.leases.letGo(lease);
    }
  }

  /**
   * Keeps staged objects, in the transaction that stores the documents with these files.
   * @throws StagingLost, which aborts the transaction
   */
  async keep(staged: readonly StagedFile[], tx: Tx): Promise<void> {
    for (const { oid, lease, file } of staged) {
      if (await this.deletions.remove(lease, tx)) continue;
      // The lost plan may have been carried out before the object was complete. The deletion is therefore planned
      // again, outside `tx`.
      await this.deletions.plan({ oid, files: [file], attempts: 0 }, { isDue: true });
      throw new StagingLost(`the plan of ${file.filename} was claimed by another process`);
    }
  }

  /**
   * Plans the deletion of an object that somebody else is about to write, or extends such a plan. The transaction has
   * to have seen no document that refers to the object.
   * @param planId the same in all calls about this object
   * @throws StagingLost, which aborts the transaction
   */
  async expect(oid: string, planId: string, object: ObjectName, tx: Tx): Promise<void> {
    try {
      await this.deletions.renewOrInsert(planId, { oid, files: [unseenFile(object)] }, tx);
    } catch (error) {
      if (isDuplicateKey(error)) throw new StagingLost(`the plan of ${object.filename} was claimed by another process`);
      throw error;
    }
  }

  /**
   * Keeps an expected object, in the transaction that stores the document with it.
   * @throws StagingLost, which aborts the transaction
   */
  async keepExpected(planId: string, tx: Tx): Promise<void> {
    if (await this.deletions.withdrawUnclaimed(planId, tx)) return;
    throw new StagingLost(`the plan ${planId} was claimed by another process`);
  }

  /** Deletes staged objects that are not needed after all. What cannot be deleted now is deleted later. */
  async discard(staged: readonly StagedFile[]): Promise<void> {
    for (const { lease } of staged) await this.remover.carryOut(lease);
  }
}

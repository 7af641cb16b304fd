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

/** An object that was written but that no document refers to yet. */
export interface StagedFile {
  readonly oid: string;
  readonly file: StoredFile;
  /** Of the plan to delete it; when it is over, the writer counts as dead. */
  readonly lease: Lease;
}

/** The plan to delete a staged object was claimed by another process: the writer was taken for dead. */
export class StagingLost extends Error {}

/**
 * Writes objects so that a crash leaves none behind: the plan to delete the object is stored before its first byte,
 * renewed while it is written, and withdrawn in the transaction that makes a document refer to it.
 */
@Injectable()
export class FileStaging {
  constructor(
    private readonly deletions: FileDeletionsRepository,
    private readonly remover: FileRemover,
    private readonly storages: Storages,
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

  /** Part of the transaction that stores the documents with these files. @throws StagingLost, which aborts it */
  async keep(staged: readonly StagedFile[], tx: Tx): Promise<void> {
    for (const { oid, lease, file } of staged) {
      if (await this.deletions.remove(lease, tx)) continue;
      // It may have been carried out before the object was whole, so it is planned once more, whatever becomes of `tx`.
      await this.deletions.plan({ oid, files: [file], attempts: 0 }, { isDue: true });
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
    try {
      await this.deletions.renewOrInsert(planId, { oid, files: [unseenFile(object)] }, tx);
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
    for (const { lease } of staged) await this.remover.carryOut(lease);
  }
}

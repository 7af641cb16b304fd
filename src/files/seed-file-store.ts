import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { minutes } from '../common/units/durations.js';
import type { Tx } from '../database/unit-of-work.js';
import type { FileDeletion } from '../items/data/file-deletion.schema.js';
import { FileDeletionsRepository } from '../items/data/file-deletions.repository.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { Org } from '../orgs/data/org.schema.js';
import { fileNames } from '../storage/file-names.js';
import { PresignedFiles } from '../storage/presigned-files.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { ObjectTooLarge, StorageDenied, StorageFull, StorageUnavailable } from '../storage/storage.errors.js';
import { Storages } from '../storage/storages.js';
import type { SeedFile } from './data/seed-file.schema.js';
import { SeedFileTooLarge, UploadFailed } from './files.errors.js';
import { SeedLines } from './seed-lines.js';

/** Contract: crawling §4.13. */
const MAX_BYTES = 25_000_000;
/** A file that takes longer to come counts as abandoned. */
const LONGEST_UPLOAD_MS = minutes(60);

export interface StoredSeedList {
  readonly filename: string;
  readonly hash: string;
  readonly size: number;
  readonly storage: StorageRef;
  /** Null: no line is a URL. */
  readonly firstSeed: string | null;
  readonly seedCount: number;
}

/** A stored file that no record refers to yet, with the plan to delete it, which a crash leaves behind. */
export interface NewSeedList extends StoredSeedList {
  readonly intent: Pick<FileDeletion, '_id' | 'leaseUntil'>;
}

/** The bytes of seed files. */
@Injectable()
export class SeedFileStore {
  constructor(
    private readonly storages: Storages,
    private readonly presigned: PresignedFiles,
    private readonly orgs: OrgsRepository,
    private readonly deletions: FileDeletionsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws SeedFileTooLarge, UploadFailed: nothing is stored then */
  async put(org: Org, fileId: string, body: Readable): Promise<NewSeedList> {
    const storage = { name: org.storage.name, custom: org.storage.custom };
    const filename = fileNames.seedFile(fileId, org._id, storage);
    const intent = await this.planDeletion(org._id, { filename, storage });
    const lines = new SeedLines();
    const broken = new AbortController();
    const breakOff = (error?: unknown) => {
      if (!body.readableEnded) broken.abort(error ?? new Error('the caller broke off'));
    };
    body.once('error', breakOff).once('close', breakOff).pipe(lines);
    try {
      const options = { contentType: 'text/plain', maxBytes: MAX_BYTES, signal: broken.signal };
      const { size, sha256 } = await this.storages.resolve(org, storage).put(filename, lines, options);
      return { filename, hash: sha256, size, storage, firstSeed: lines.firstSeed, seedCount: lines.count, intent };
    } catch (error) {
      // The rest is read and dropped, so that the caller, still sending, gets the answer.
      body.unpipe(lines).resume();
      await this.deletions.remove(intent._id);
      throw this.failure(error, broken.signal.aborted);
    } finally {
      body.off('error', breakOff).off('close', breakOff);
    }
  }

  /** In the transaction that records the file. @throws UploadFailed when it took so long that it is being deleted */
  async keep({ intent }: NewSeedList, tx: Tx): Promise<void> {
    if (!(await this.deletions.withdraw(intent._id, intent.leaseUntil, tx))) throw new UploadFailed();
  }

  /** The file is not wanted after all. */
  async discard(oid: string, { filename, storage, intent }: NewSeedList): Promise<void> {
    await this.delete(oid, filename, storage);
    await this.deletions.remove(intent._id);
  }

  /** Idempotent; an org that is gone took its objects along. */
  async delete(oid: string, filename: string, storage: StorageRef): Promise<void> {
    const org = await this.orgs.findById(oid);
    const store = org ? this.storages.resolve(org, storage) : this.storages.resolveDefault(storage);
    await store.delete(filename);
  }

  /** @param origin `scheme://host` for storages that are served from this host */
  url(org: Org, file: SeedFile, origin: string): string {
    return this.presigned.absoluteUrl(org, file, origin);
  }

  private async planDeletion(oid: string, place: Pick<StoredSeedList, 'filename' | 'storage'>): Promise<FileDeletion> {
    const created = this.clock.now();
    const leaseUntil = new Date(created.getTime() + LONGEST_UPLOAD_MS);
    const files = [{ ...place, hash: '', size: 0, replicas: [] }];
    const intent = { _id: newId(), oid, files, created, attempts: 0, leaseUntil };
    await this.deletions.insert(intent);
    return intent;
  }

  private failure(error: unknown, isBroken: boolean): unknown {
    if (error instanceof ObjectTooLarge) return new SeedFileTooLarge();
    const isStorage =
      error instanceof StorageFull || error instanceof StorageDenied || error instanceof StorageUnavailable;
    return isStorage || isBroken ? new UploadFailed() : error;
  }
}

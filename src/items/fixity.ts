import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { ObjectNotFound, StorageError } from '../storage/storage.errors.js';
import { Storages } from '../storage/storages.js';
import { CopyDiffers, copyObject } from './copy-object.js';
import { FIXITY_RESULTS, type FixityResult, type Item } from './data/item.schema.js';
import { ItemsRepository } from './data/items.repository.js';
import type { StoredFile } from './data/stored-file.schema.js';
import { allFilesOf } from './files-of-item.js';

const BATCH = 100;

export interface VerifiedItem {
  readonly oid: string;
  readonly itemId: string;
  readonly result: FixityResult;
  /** Bytes that the records name. */
  readonly size: number;
  /** Files that are not well, or were not. */
  readonly files: readonly { filename: string; result: FixityResult }[];
}

/** Reads archived files again, compares them with their record, and repairs them from a good copy where there is one. */
@Injectable()
export class Fixity {
  constructor(
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
    private readonly clock: Clock,
  ) {}

  /** Verifies every item, one after the other, and records when and with what result. */
  async *verifyAll(signal?: AbortSignal): AsyncGenerator<VerifiedItem> {
    let after = '';
    for (;;) {
      const batch = await this.items.findBatchAcrossOrgs(after, BATCH);
      for (const item of batch) {
        signal?.throwIfAborted();
        yield await this.verifyItem(item, signal);
      }
      if (batch.length < BATCH) return;
      after = batch.at(-1)?._id ?? after;
    }
  }

  /**
   * Verifies the items of an org, or of all, that were not verified since `before`; those of longest ago first. Begun
   * again it goes on where it was.
   */
  async *verifySince(oid: string | null, before: Date, signal?: AbortSignal): AsyncGenerator<VerifiedItem> {
    let last = new Set<string>();
    for (;;) {
      const due = await this.items.findToVerify(oid, before, BATCH);
      // A clock that was put back must not make the same items due for ever.
      const fresh = due.filter(({ _id }) => !last.has(_id));
      if (fresh.length === 0) return;
      last = new Set(fresh.map(({ _id }) => _id));
      for (const item of fresh) {
        signal?.throwIfAborted();
        yield await this.verifyItem(item, signal);
      }
    }
  }

  /** @throws the signal's reason; storages that fail are a result, not an error */
  async verifyItem(item: Item, signal?: AbortSignal): Promise<VerifiedItem> {
    const { oid, _id: itemId } = item;
    const org = await this.orgs.findById(oid);
    const recorded = allFilesOf(item);
    let files: { filename: string; result: FixityResult }[] = [];
    for (const file of recorded) {
      const result = org ? await this.verifyFile(org, file, signal) : 'unreachable';
      if (result !== 'ok') files.push({ filename: file.filename, result });
    }
    if (files.length > 0) files = await this.stillRecorded(item, files);
    const worst = Math.max(0, ...files.map(({ result }) => FIXITY_RESULTS.indexOf(result)));
    const result = FIXITY_RESULTS[worst] ?? 'ok';
    await this.items.set(oid, itemId, { fixity: { lastVerified: this.clock.timestamp(), result } });
    return { oid, itemId, result, size: recorded.reduce((sum, { size }) => sum + size, 0), files };
  }

  /** Without the files that were replaced or deleted while they were read. */
  private async stillRecorded<F extends { filename: string }>(item: Item, files: readonly F[]): Promise<F[]> {
    const now = await this.items.findById(item.oid, item._id);
    const names = new Set(now && !now.deleted ? allFilesOf(now).map(({ filename }) => filename) : []);
    return files.filter(({ filename }) => names.has(filename));
  }

  private async verifyFile(org: Org, file: StoredFile, signal?: AbortSignal): Promise<FixityResult> {
    const found = await this.compare(org, file.storage, file, signal);
    if (found !== 'damaged' && found !== 'missing') return found;
    for (const ref of file.replicas ?? []) {
      if ((await this.compare(org, ref, file, signal)) !== 'ok') continue;
      return (await this.repair(org, ref, file, signal)) ? 'repaired' : found;
    }
    return found;
  }

  /** @returns false when the storage of the original cannot take it now */
  private async repair(org: Org, from: StorageRef, file: StoredFile, signal?: AbortSignal): Promise<boolean> {
    try {
      await copyObject(this.storages.resolve(org, from), this.storages.resolve(org, file.storage), file, signal);
      return true;
    } catch (error) {
      if (error instanceof StorageError || error instanceof CopyDiffers) return false;
      throw error;
    }
  }

  private async compare(org: Org, ref: StorageRef, file: StoredFile, signal?: AbortSignal): Promise<FixityResult> {
    if (!this.storages.isKnown(org, ref)) return 'unreachable';
    try {
      const { size, sha256 } = await digestOf(this.storages.resolve(org, ref), file.filename, signal);
      return size === file.size && (file.hash === '' || sha256 === file.hash) ? 'ok' : 'damaged';
    } catch (error) {
      if (error instanceof ObjectNotFound) return 'missing';
      if (error instanceof StorageError) return 'unreachable';
      throw error;
    }
  }
}

async function digestOf(store: ObjectStore, key: string, signal?: AbortSignal) {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of (await store.get(key, { signal })).body as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

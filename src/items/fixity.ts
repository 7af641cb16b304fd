import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { ObjectNotFound, StorageError } from '../storage/storage.errors.js';
import { Storages } from '../storage/storages.js';
import { copyObject } from './copy-object.js';
import type { FixityResult } from './data/item.schema.js';
import type { Item } from './data/item.schema.js';
import { ItemsRepository } from './data/items.repository.js';
import type { StoredFile } from './data/stored-file.schema.js';

/** Best first: an item is as well as its worst file. */
const WORSE = ['ok', 'repaired', 'unreachable', 'damaged', 'missing'] as const satisfies readonly FixityResult[];
const BATCH = 100;

export interface VerifiedItem {
  readonly oid: string;
  readonly itemId: string;
  readonly result: FixityResult;
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

  /** @throws the signal's reason; storages that fail are a result, not an error */
  async verifyItem(item: Item, signal?: AbortSignal): Promise<VerifiedItem> {
    const { oid, _id: itemId } = item;
    const org = await this.orgs.findById(oid);
    const files: { filename: string; result: FixityResult }[] = [];
    for (const file of item.files) {
      const result = org ? await this.verifyFile(org, file, signal) : 'unreachable';
      files.push({ filename: file.filename, result });
    }
    const worst = Math.max(0, ...files.map(({ result }) => WORSE.indexOf(result)));
    const result = WORSE[worst] ?? 'ok';
    await this.items.set(oid, itemId, { fixity: { lastVerified: this.clock.timestamp(), result } });
    return { oid, itemId, result, files: files.filter((file) => file.result !== 'ok') };
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
      if (error instanceof StorageError) return false;
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

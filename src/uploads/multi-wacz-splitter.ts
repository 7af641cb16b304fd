import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { FileStaging, type StagedFile } from '../items/file-staging.js';
import type { Org } from '../orgs/data/org.schema.js';
import { fileNames } from '../storage/file-names.js';
import { StorageError } from '../storage/storage.errors.js';
import type { ZipArchive } from '../wacz/zip-archive.js';
import type { ZipEntry } from '../wacz/zip-directory.js';
import { FileReplacement, type ReplacedFile } from './file-replacement.js';

/** Contract: archive.md §1, constants: child upload retries and their waits. */
const WAITS_MS = [seconds(1), seconds(2)];

/** A child of a multi-WACZ is larger than the deployment or the org's quota allows. */
export class ChildTooLarge extends Error {
  constructor(name: string, itemId: string) {
    super(`WACZ file '${name}' inside item id ${itemId} exceeds max size`);
  }
}

/** Replaces a multi-WACZ file of an item by the WACZs inside it. Contract: archive.md §4.2. */
@Injectable()
export class MultiWaczSplitter {
  constructor(
    private readonly staging: FileStaging,
    private readonly replacement: FileReplacement,
    private readonly config: AppConfig,
  ) {}

  /**
   * Every child becomes an object of its own; then the file is replaced by them in one step. When the item is gone or
   * the file already split, the children are deleted again and nothing else changes.
   * @throws ChildTooLarge, UnreadableWacz, StorageError; nothing is kept then
   */
  async split(
    source: ReplacedFile,
    archive: ZipArchive,
    children: readonly ZipEntry[],
    signal: AbortSignal,
  ): Promise<void> {
    const { org, item, file } = source;
    const largest = this.largestChild(org);
    const tooLarge = children.find((child) => child.size > largest);
    if (tooLarge) throw new ChildTooLarge(tooLarge.name, item._id);
    const staged: StagedFile[] = [];
    try {
      for (const child of children) staged.push(await this.storeChild(source, archive, child, signal));
    } catch (error) {
      await this.staging.discard(staged);
      throw error;
    }
    await this.replacement.replace({ ...source, files: [file] }, staged, 'last');
  }

  private largestChild(org: Org): number {
    const quota = org.quotas?.storageQuota ?? 0;
    const { maxWaczBytes } = this.config.uploads;
    return quota > 0 ? Math.min(maxWaczBytes, Math.max(quota - (org.bytesStored ?? 0), 0)) : maxWaczBytes;
  }

  private async storeChild(
    { org, item, file }: ReplacedFile,
    archive: ZipArchive,
    child: ZipEntry,
    signal: AbortSignal,
  ): Promise<StagedFile> {
    const { storage } = file;
    const filename = fileNames.splitWacz(item._id, { oid: org._id, storage, originalName: child.name });
    for (let attempt = 0; ; attempt++) {
      const body = archive.read(child, { signal });
      try {
        return await this.staging.put(org, { filename, storage }, body, { exactSize: child.size, signal });
      } catch (error) {
        const wait = WAITS_MS[attempt];
        if (!(error instanceof StorageError) || wait === undefined) throw error;
        await sleep(wait, undefined, { signal });
      } finally {
        body.destroy();
      }
    }
  }
}

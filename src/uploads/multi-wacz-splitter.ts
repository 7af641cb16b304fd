import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { seconds } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { FileStaging, type StagedFile } from '../objects/file-staging.js';
import { fileNames } from '../storage/file-names.js';
import { StorageError } from '../storage/storage.errors.js';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import type { ZipEntry } from '../../formats/zip/zip-directory.js';
import { FileReplacement, type ReplacedFile } from './file-replacement.js';

/** Contract: archive.md §1, constants: child upload retries and their waits. */
const WAITS_MS = [seconds(1), seconds(2)];

/** Entries of a package that become files of one item; the item's document lists them. */
const MAX_CHILDREN = 10_000;

/** A child of a multi-WACZ is too large for the deployment or the org's quota, alone or beside those before it. */
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
   * @throws ChildTooLarge, UnreadableWacz, StorageError, WriteRefused; nothing is kept then
   */
  async split(
    source: ReplacedFile,
    archive: ZipArchive,
    children: readonly ZipEntry[],
    signal: AbortSignal,
  ): Promise<void> {
    const { file } = source;
    this.checkSizes(source, children);
    const staged: StagedFile[] = [];
    try {
      for (const child of children) staged.push(await this.storeChild(source, archive, child, signal));
    } catch (error) {
      await this.staging.discard(staged);
      throw error;
    }
    await this.replacement.replace({ ...source, files: [file] }, staged, 'last');
  }

  /** Each child has to fit beside the package, and all of them in its place. */
  private checkSizes({ org, item, file }: ReplacedFile, children: readonly ZipEntry[]): void {
    if (children.length > MAX_CHILDREN) throw new UnreadableWacz('too-large', `more than ${MAX_CHILDREN} WACZ files`);
    const quota = org.quotas?.storageQuota ?? 0;
    const room = quota > 0 ? Math.max(quota - (org.bytesStored ?? 0), 0) : Infinity;
    const largest = Math.min(this.config.uploads.maxWaczBytes, room);
    let left = room + file.size;
    for (const { name, size } of children) {
      left -= size;
      if (size > largest || left < 0) throw new ChildTooLarge(name, item._id);
    }
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

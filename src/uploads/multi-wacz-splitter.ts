import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Item } from '../items/data/item.schema.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { StoredFile } from '../items/data/stored-file.schema.js';
import { FileRemover } from '../items/file-remover.js';
import { FileStaging, type StagedFile } from '../items/file-staging.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { fileNames } from '../storage/file-names.js';
import { StorageError } from '../storage/storage.errors.js';
import type { ZipArchive } from '../wacz/zip-archive.js';
import type { ZipEntry } from '../wacz/zip-directory.js';

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
    private readonly items: ItemsRepository,
    private readonly staging: FileStaging,
    private readonly remover: FileRemover,
    private readonly usage: OrgUsage,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: AppConfig,
  ) {}

  /**
   * Every child becomes an object of its own; then the file is replaced by them in one step. When the item is gone or
   * the file already split, the children are deleted again and nothing else changes.
   * @throws ChildTooLarge, UnreadableWacz, StorageError; nothing is kept then
   */
  async split(
    source: { org: Org; item: Item; file: StoredFile },
    archive: ZipArchive,
    children: readonly ZipEntry[],
    signal: AbortSignal,
  ): Promise<void> {
    const { org, item } = source;
    const largest = this.largestChild(org);
    const tooLarge = children.find((child) => child.size > largest);
    if (tooLarge) throw new ChildTooLarge(tooLarge.name, item._id);
    const staged: StagedFile[] = [];
    try {
      for (const child of children) staged.push(await this.storeChild(source, archive, child, signal));
      await this.replace(source, staged);
    } catch (error) {
      await this.staging.discard(staged);
      throw error;
    }
  }

  private largestChild(org: Org): number {
    const quota = org.quotas?.storageQuota ?? 0;
    const { maxWaczBytes } = this.config.uploads;
    return quota > 0 ? Math.min(maxWaczBytes, Math.max(quota - (org.bytesStored ?? 0), 0)) : maxWaczBytes;
  }

  private async storeChild(
    { org, item, file }: { org: Org; item: Item; file: StoredFile },
    archive: ZipArchive,
    child: ZipEntry,
    signal: AbortSignal,
  ): Promise<StagedFile> {
    const { storage } = file;
    const filename = fileNames.splitWacz(item._id, { oid: org._id, storage, originalName: child.name });
    for (let attempt = 0; ; attempt++) {
      const body = archive.read(child, { signal });
      try {
        return await this.staging.put(org, { filename, storage }, body, { sizeHint: child.size, signal });
      } catch (error) {
        const wait = WAITS_MS[attempt];
        if (!(error instanceof StorageError) || wait === undefined) throw error;
        await sleep(wait, undefined, { signal });
      } finally {
        body.destroy();
      }
    }
  }

  private async replace({ org, item, file }: { org: Org; item: Item; file: StoredFile }, staged: StagedFile[]) {
    const children = staged.map((one) => one.file);
    const added = children.reduce((sum, { size }) => sum + size, 0);
    let planned: string | null = null;
    const isReplaced = await this.unitOfWork.run(async (tx) => {
      const now = await this.items.scoped.findOne(org._id, { _id: item._id, deleted: { $ne: true } }, { tx });
      if (!now?.files.some(({ filename }) => filename === file.filename)) return false;
      const files = [...now.files.filter(({ filename }) => filename !== file.filename), ...children];
      const fileSize = files.reduce((sum, { size }) => sum + size, 0);
      await this.staging.keep(staged, tx);
      await this.items.set(org._id, item._id, { files, fileSize, fileCount: files.length }, tx);
      await this.usage.addBytes(org._id, 'upload', added - file.size, tx);
      planned = await this.remover.plan(org._id, [file], tx, { type: 'upload', id: item._id });
      return true;
    });
    if (isReplaced) await this.remover.carryOut(planned);
    else await this.staging.discard(staged);
  }
}

import { Injectable } from '@nestjs/common';
import type { Lease } from '../database/leases.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Item } from '../items/data/item.schema.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { FileRemover } from '../objects/file-remover.js';
import { FileStaging, type StagedFile } from '../objects/file-staging.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';

/** A file of an upload that is to be replaced. */
export interface ReplacedFile {
  readonly org: Org;
  readonly item: Item;
  readonly file: StoredFile;
}

export interface ReplacedFiles {
  readonly org: Org;
  readonly item: Item;
  readonly files: readonly StoredFile[];
}

const bytesOf = (files: readonly StoredFile[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Replaces files of an item by stored files. Document, usage and deletion of the old files change together. */
@Injectable()
export class FileReplacement {
  constructor(
    private readonly items: ItemsRepository,
    private readonly staging: FileStaging,
    private readonly remover: FileRemover,
    private readonly usage: OrgUsage,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * When the item is gone or no longer has one of the files, the new ones are deleted and nothing else changes.
   * @throws WriteRefused when the new files take more room than the quota has left; then nothing changes
   * @param place `same`: where the first of the old files was; `last`: behind all others
   */
  async replace(old: ReplacedFiles, staged: readonly StagedFile[], place: 'same' | 'last'): Promise<void> {
    let planned: Lease | null = null;
    let isReplaced = false;
    try {
      isReplaced = await this.unitOfWork.run(async (tx) => {
        const { org, item } = old;
        const now = await this.items.scoped.findOne(org._id, { _id: item._id, deleted: { $ne: true } }, { tx });
        const names = new Set(old.files.map(({ filename }) => filename));
        // As they are now: copies of them may have been made since they were looked up.
        const gone = now?.files.filter(({ filename }) => names.has(filename)) ?? [];
        if (!now || gone.length !== names.size) return false;
        const kept = now.files.filter((file) => !gone.includes(file));
        const added = staged.map(({ file }) => file);
        const at = now.files.findIndex((file) => gone.includes(file));
        const files = kept.toSpliced(place === 'same' ? at : kept.length, 0, ...added);
        await this.staging.keep(staged, tx);
        const fields = { files, fileSize: bytesOf(files), fileCount: files.length, fixity: null };
        await this.items.set(org._id, item._id, fields, tx);
        const growth = bytesOf(added) - bytesOf(gone);
        // Others may have used up the quota since the first byte of the new files was written.
        if (growth > 0) await this.usage.takeBytes(org._id, 'upload', growth, tx);
        else await this.usage.addBytes(org._id, 'upload', growth, tx);
        planned = await this.remover.plan(org._id, gone, tx, { type: 'upload', id: item._id });
        return true;
      });
    } catch (error) {
      await this.staging.discard(staged);
      throw error;
    }
    if (isReplaced) await this.remover.carryOut(planned);
    else await this.staging.discard(staged);
  }
}

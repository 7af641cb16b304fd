import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Item } from '../items/data/item.schema.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { StoredFile } from '../items/data/stored-file.schema.js';
import { FileRemover } from '../items/file-remover.js';
import { FileStaging, type StagedFile } from '../items/file-staging.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';

export interface ReplacedFile {
  readonly org: Org;
  readonly item: Item;
  readonly file: StoredFile;
}

/** Puts stored files in the place of one file of an item: document, usage and the deletion of the old file at once. */
@Injectable()
export class FileReplacement {
  constructor(
    private readonly items: ItemsRepository,
    private readonly staging: FileStaging,
    private readonly remover: FileRemover,
    private readonly usage: OrgUsage,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** When the item is gone or no longer has the file, the new ones are deleted and nothing else changes. */
  async replace(old: ReplacedFile, staged: readonly StagedFile[], place: 'same' | 'last'): Promise<void> {
    const { org, item, file } = old;
    const added = staged.map((one) => one.file);
    const bytes = added.reduce((sum, { size }) => sum + size, 0);
    let planned: string | null = null;
    const isReplaced = await this.unitOfWork.run(async (tx) => {
      const now = await this.items.scoped.findOne(org._id, { _id: item._id, deleted: { $ne: true } }, { tx });
      const at = now?.files.findIndex(({ filename }) => filename === file.filename) ?? -1;
      if (!now || at < 0) return false;
      const files = now.files.filter((_, index) => index !== at);
      files.splice(place === 'same' ? at : files.length, 0, ...added);
      const fileSize = files.reduce((sum, { size }) => sum + size, 0);
      await this.staging.keep(staged, tx);
      await this.items.set(org._id, item._id, { files, fileSize, fileCount: files.length }, tx);
      await this.usage.addBytes(org._id, 'upload', bytes - file.size, tx);
      planned = await this.remover.plan(org._id, [file], tx, { type: 'upload', id: item._id });
      return true;
    });
    if (isReplaced) await this.remover.carryOut(planned);
    else await this.staging.discard(staged);
  }
}

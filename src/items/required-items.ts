import { Injectable } from '@nestjs/common';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { ItemsRepository } from './data/items.repository.js';
import { KeptItemsRepository } from './data/kept-items.repository.js';

/** An item to whose payloads another refers. */
export interface RequiredItem {
  readonly itemId: string;
  readonly files: readonly StoredFile[];
  /** Bytes of `files`. */
  readonly fileSize: number;
}

/** Finds the files of required items, also of those that were deleted and whose files are kept. */
@Injectable()
export class RequiredItems {
  constructor(
    private readonly items: ItemsRepository,
    private readonly kept: KeptItemsRepository,
  ) {}

  /** Returns those that can be reached, in the order of the ids. */
  async find(oid: string, itemIds: readonly string[]): Promise<RequiredItem[]> {
    const ids = [...new Set(itemIds)];
    const items = await this.items.filesOf(oid, ids);
    const found = new Set(items.map(({ _id }) => _id));
    // An item may be deleted between the two reads. It is then kept before the second.
    const kept = await this.kept.filesOf(
      oid,
      ids.filter((id) => !found.has(id)),
    );
    const byId = new Map([...items, ...kept].map((one) => [one._id, one]));
    return ids.flatMap((itemId) => {
      const one = byId.get(itemId);
      return one ? [{ itemId, files: one.files ?? [], fileSize: one.fileSize ?? 0 }] : [];
    });
  }
}

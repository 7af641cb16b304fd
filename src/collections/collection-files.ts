import { Injectable } from '@nestjs/common';
import type { FilesOfItem } from '../items/item-downloads.js';
import { RequiredItems } from '../items/required-items.js';
import type { MemberItem } from './data/collections.queries.js';

export interface FilesInCollection extends FilesOfItem {
  /** True for files of items that are no members. */
  readonly fromDependency: boolean;
}

/** Finds all files that a collection's pages need. Contract: archive §7. */
@Injectable()
export class CollectionFiles {
  constructor(private readonly required: RequiredItems) {}

  /** Files of the members, and after them those of items to which members refer and which are no members. */
  async of(oid: string, members: readonly MemberItem[]): Promise<FilesInCollection[]> {
    const ids = new Set(members.map(({ _id }) => _id));
    const needed = new Set(members.flatMap(({ requiresCrawls }) => requiresCrawls ?? []));
    const required = await this.required.find(
      oid,
      [...needed].filter((id) => !ids.has(id)),
    );
    return [
      ...members.map(({ _id: itemId, files }) => ({ itemId, files, fromDependency: false })),
      ...required.map(({ itemId, files }) => ({ itemId, files, fromDependency: true })),
    ];
  }
}

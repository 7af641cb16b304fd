import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Item } from '../items/data/item.schema.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { FileStaging } from '../objects/file-staging.js';
import type { Org } from '../orgs/data/org.schema.js';
import { fileNames } from '../storage/file-names.js';
import { StorageUnavailable } from '../storage/storage.errors.js';
import { Storages } from '../storage/storages.js';
import { FileReplacement } from './file-replacement.js';

/** Joins the pieces of a resumable upload into the file that was sent. */
@Injectable()
export class PieceAssembler {
  constructor(
    private readonly items: ItemsRepository,
    private readonly storages: Storages,
    private readonly staging: FileStaging,
    private readonly replacement: FileReplacement,
  ) {}

  /** @returns the item afterwards; an item without pieces stays the same. @throws StorageError */
  async assemble(org: Org, item: Item, signal: AbortSignal): Promise<Item> {
    const pieces = item.files.filter(({ isPiece }) => isPiece === true);
    const [first] = pieces;
    if (!first) return item;
    const { originalFilename, storage } = first;
    const filename = fileNames.upload(item._id, { oid: org._id, storage, originalName: originalFilename ?? '' });
    const body = Readable.from(this.read(org, pieces, signal), { objectMode: false });
    try {
      const exactSize = pieces.reduce((sum, { size }) => sum + size, 0);
      const staged = await this.staging.put(org, { filename, storage }, body, { exactSize, signal });
      const whole = Object.assign(staged, { file: { ...staged.file, originalFilename } });
      await this.replacement.replace({ org, item, files: pieces }, [whole], 'same');
    } finally {
      body.destroy();
    }
    return (await this.items.findById(org._id, item._id, 'upload')) ?? item;
  }

  private async *read(org: Org, pieces: readonly StoredFile[], signal: AbortSignal): AsyncGenerator<Buffer> {
    for (const { filename, storage, size } of pieces) {
      if (size === 0) continue;
      const { body } = await this.storages.resolve(org, storage).get(filename, { signal });
      let left = size;
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          left -= chunk.length;
          yield chunk;
        }
      } finally {
        body.destroy();
      }
      if (left !== 0) throw new StorageUnavailable(`${filename} has ${size - left} of ${size} bytes`);
    }
  }
}

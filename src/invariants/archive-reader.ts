import { Injectable } from '@nestjs/common';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { StorageError } from '../storage/storage.errors.js';
import { type StorageOwner, Storages } from '../storage/storages.js';
import { readIndexLines } from '../wacz/index-lines.js';
import { openArchive } from '../wacz/object-byte-source.js';
import { type NamedWacz, requiredWaczs } from '../wacz/required-items.js';
import { type BodyLine, readBodyLine } from './body-line.js';

/** An archive that cannot be read, with the reason in words. */
export interface Unreadable {
  readonly problem: string;
}

/** Reads what archives say of themselves. Of each its description and its index are read, by range. */
@Injectable()
export class ArchiveReader {
  constructor(private readonly storages: Storages) {}

  /** What the WACZ says that it needs. */
  async required(owner: StorageOwner, file: StoredFile): Promise<NamedWacz[] | Unreadable> {
    return orUnreadable(async () => requiredWaczs(await this.open(owner, file)));
  }

  /**
   * Hands on the index lines of a WACZ that tell of a body.
   * @param take says whether more is wanted
   * @returns the number of lines that were read
   */
  async lines(owner: StorageOwner, file: StoredFile, take: (line: BodyLine) => boolean): Promise<number | Unreadable> {
    return orUnreadable(async () => {
      let count = 0;
      for await (const text of readIndexLines(await this.open(owner, file))) {
        count += 1;
        const line = readBodyLine(text);
        if (line && !take(line)) break;
      }
      return count;
    });
  }

  private open(owner: StorageOwner, { filename, storage }: StoredFile): Promise<ZipArchive> {
    return openArchive(this.storages.resolve(owner, storage), filename);
  }
}

async function orUnreadable<T>(reading: () => Promise<T>): Promise<T | Unreadable> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof UnreadableWacz || error instanceof StorageError) return { problem: error.message };
    throw error;
  }
}

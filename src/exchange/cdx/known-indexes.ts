import { Injectable } from '@nestjs/common';
import { findIndex, type IndexPart } from '../../../formats/cdx/archive-index.js';
import { ZipArchive } from '../../../formats/zip/zip-archive.js';
import { RecentlyUsed } from '../../common/objects/recently-used.js';
import { ObjectByteSource } from '../../wacz/object-byte-source.js';

/** Archives whose members are remembered. An entry has some hundred bytes. */
const MOST = 20_000;

/**
 * Remembers where archives hold their indexes, which costs several reads to find out. An archive never changes under
 * its key and hash.
 */
@Injectable()
export class KnownIndexes {
  private readonly parts = new RecentlyUsed<Promise<IndexPart[]>>(MOST);

  /** @param identity key and hash of the file @throws UnreadableWacz, StorageError */
  of(identity: string, source: ObjectByteSource): Promise<IndexPart[]> {
    return this.parts.of(identity, () => this.find(identity, source));
  }

  private find(identity: string, source: ObjectByteSource): Promise<IndexPart[]> {
    const found = ZipArchive.open(source).then(findIndex);
    // What failed once may work the next time.
    found.catch(() => this.parts.forget(identity));
    return found;
  }
}

import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { ObjectNotFound } from '../storage/storage.errors.js';
import { type StorageOwner, Storages } from '../storage/storages.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { openArchive } from '../wacz/object-byte-source.js';
import { readIndexLines } from '../wacz/index-lines.js';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import { CaptureBatches } from './capture-batches.js';
import { DedupeHashesRepository } from './data/dedupe-hashes.repository.js';
import { DedupeSourcesRepository, type IndexKey } from './data/dedupe-sources.repository.js';
import { readCaptureLine } from './capture-line.js';

/** A file of an item. */
export interface ImportedFile {
  readonly filename: string;
  readonly size: number;
  readonly storage: StorageRef;
}

/** Takes the captures of WACZs into dedupe indexes. Only the index of a WACZ is read, by range. */
@Injectable()
export class WaczImporter {
  private readonly logger = new Logger('dedupe');

  constructor(
    private readonly hashes: DedupeHashesRepository,
    private readonly sources: DedupeSourcesRepository,
    private readonly storages: Storages,
    private readonly clock: Clock,
  ) {}

  /**
   * Imports one WACZ. It may be repeated, also by two processes at once: an entry has one place, and the figures are
   * counted over the whole file and stored once. A file that cannot be read counts as imported, with nothing in it.
   * @throws StorageUnavailable, and what the signal was aborted with
   */
  async import(
    owner: StorageOwner,
    key: IndexKey,
    itemId: string,
    file: ImportedFile,
    signal?: AbortSignal,
  ): Promise<void> {
    const source = await this.sources.begin(key, itemId, file);
    if (source.imported) return;
    await this.sources.forgetRemoved(key, itemId);
    const captures = new CaptureBatches(this.hashes, this.sources, key, source.id);
    try {
      const archive = await openArchive(this.storages.resolve(owner, file.storage), file.filename);
      for await (const line of readIndexLines(archive, signal)) {
        const capture = readCaptureLine(line);
        if (capture && captures.take(capture)) {
          signal?.throwIfAborted();
          await captures.flush();
        }
      }
    } catch (error) {
      if (!(error instanceof UnreadableWacz) && !(error instanceof ObjectNotFound)) throw error;
      this.logger.warn({ event: 'wacz_not_indexed', oid: key.oid, itemId, file: file.filename, err: error });
    }
    await this.sources.finish(key, source.id, await captures.end(), this.clock.now());
  }
}

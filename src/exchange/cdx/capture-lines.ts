import { Injectable, Logger } from '@nestjs/common';
import { indexLines } from '../../../formats/cdx/archive-index.js';
import { mergedLines } from '../../../formats/cdx/merged-lines.js';
import { SortedLines } from '../../../formats/cdx/sorted-lines.js';
import type { LineRange } from '../../../formats/cdx/sorted-text.js';
import { UnreadableWacz } from '../../../formats/unreadable-wacz.js';
import { baseName } from '../../common/text/base-name.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { Storages } from '../../storage/storages.js';
import { storageRefToString } from '../../storage/storage-ref.js';
import { ObjectByteSource } from '../../wacz/object-byte-source.js';
import type { CaptureQuery } from '../rules/capture-query.js';
import { captureOf } from '../rules/capture.js';
import { KnownIndexes } from './known-indexes.js';

/** Archives that are merged as they are read, each with a part of its index in memory; more are sorted on disk. */
const MERGED = 256;
/** Archives that are read at a time when they are sorted. */
const AT_ONCE = 16;

export interface CaptureSource {
  readonly org: Org;
  readonly files: readonly StoredFile[];
}

/** Reads the lines of archives' indexes. */
@Injectable()
export class CaptureLines {
  private readonly logger = new Logger('exchange');

  constructor(
    private readonly storages: Storages,
    private readonly indexes: KnownIndexes,
  ) {}

  /**
   * The lines that are asked for, in their order over all archives, with one character for each byte and the archive's
   * name as `wacz`. An archive whose index cannot be read is left out and logged.
   * @throws StorageError
   */
  async *of(source: CaptureSource, query: CaptureQuery, signal?: AbortSignal): AsyncGenerator<string> {
    const lines =
      source.files.length <= MERGED ? this.merged(source, query, signal) : this.sorted(source, query, signal);
    for await (const line of lines) {
      if (query.acceptsAll) yield line;
      else {
        const capture = captureOf(line);
        if (capture && query.accepts(capture)) yield line;
      }
    }
  }

  private async *merged(
    { org, files }: CaptureSource,
    { ranges }: CaptureQuery,
    signal?: AbortSignal,
  ): AsyncGenerator<string> {
    // The ranges ascend, so one after the other is still in order.
    for (const range of ranges) yield* mergedLines(files.map((file) => this.ofFile(org, file, range, signal)));
  }

  private async *sorted(
    { org, files }: CaptureSource,
    { ranges }: CaptureQuery,
    signal?: AbortSignal,
  ): AsyncGenerator<string> {
    const sorted = new SortedLines();
    const waiting = files.flatMap((file) => ranges.map((range) => ({ file, range })));
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop())
        for await (const line of this.ofFile(org, next.file, next.range, signal)) await sorted.addBytes(line);
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      for await (const line of sorted.sorted()) yield line.toString('latin1');
    } finally {
      waiting.length = 0;
      await sorted.close();
    }
  }

  private async *ofFile(org: Org, file: StoredFile, range: LineRange, signal?: AbortSignal): AsyncGenerator<string> {
    const name = baseName(file.filename);
    const told = Buffer.from(`,"wacz":${JSON.stringify(name)}}`).toString('latin1');
    try {
      const source = new ObjectByteSource(this.storages.resolve(org, file.storage), file.filename, file.size);
      const identity = `${storageRefToString(file.storage)} ${file.filename} ${file.hash} ${String(file.size)}`;
      const parts = await this.indexes.of(`${org._id} ${identity}`, source);
      for await (const line of mergedLines(parts.map((part) => indexLines(source, part, range)))) {
        signal?.throwIfAborted();
        // What ends otherwise is no line of an index.
        if (/[^{]\}$/.test(line)) yield line.slice(0, -1) + told;
      }
    } catch (error) {
      if (!(error instanceof UnreadableWacz)) throw error;
      this.logger.warn({ event: 'index_unreadable', oid: org._id, file: file.filename, reason: error.message });
    }
  }
}

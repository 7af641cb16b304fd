import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { baseName } from '../../common/text/base-name.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import { ItemReader } from '../../items/item-reader.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { ObjectNotFound } from '../../storage/storage.errors.js';
import { Storages } from '../../storage/storages.js';
import { findLogs, readLogLines } from '../../wacz/wacz.js';
import { UnreadableWacz } from '../../../formats/unreadable-wacz.js';
import { ZipArchive } from '../../../formats/zip/zip-archive.js';
import { openArchive } from '../../wacz/object-byte-source.js';
import { CrawlNotFinished } from '../crawls.errors.js';
import { mergeByTime, parseLogLine, type ReadLogLine } from './log-merge.js';

export interface LogFilter {
  /** Levels to send; null: all. */
  readonly levels: ReadonlySet<string> | null;
  readonly contexts: ReadonlySet<string> | null;
}

/** The whole log of a crawl, read from its WACZs by range while it is sent. Contract: crawling §9 `/logs`. */
@Injectable()
export class CrawlLogStream {
  private readonly logger = new Logger('crawls');

  constructor(
    private readonly items: ItemReader,
    private readonly storages: Storages,
  ) {}

  /**
   * Opens the log: one JSON object on each line, by time.
   * @param signal ends the reading when the client has gone
   * @throws ItemNotFound, CrawlNotFinished
   */
  async open(org: Org, crawlId: string, filter: LogFilter, signal: AbortSignal): Promise<Readable> {
    const item = await this.items.get(org._id, crawlId, 'crawl');
    if (!item.finished) throw new CrawlNotFinished();
    const groups = [...byInstance(item.files).values()].map((files) => this.linesOf(org, files, signal));
    return Readable.from(ndjson(mergeByTime(groups), filter), { objectMode: false });
  }

  /** Reads the logs of one instance in the order in which its files were written. */
  private async *linesOf(org: Org, files: readonly StoredFile[], signal: AbortSignal): AsyncGenerator<ReadLogLine> {
    for (const file of files) {
      const archive = await this.archiveOf(org, file);
      if (!archive) continue;
      for (const log of await findLogs(archive)) {
        for await (const text of readLogLines(archive, log, signal)) {
          const line = parseLogLine(text);
          if (line) yield line;
        }
      }
    }
  }

  /**
   * Opens the archive of a file. It is null for an object that is gone or damaged, so that the other files' lines are
   * still sent.
   */
  private async archiveOf(org: Org, file: StoredFile): Promise<ZipArchive | null> {
    try {
      return await openArchive(this.storages.resolve(org, file.storage), file.filename);
    } catch (error) {
      if (!(error instanceof ObjectNotFound || error instanceof UnreadableWacz)) throw error;
      this.logger.warn({ event: 'log_file_unreadable', oid: org._id, file: file.filename, err: error });
      return null;
    }
  }
}

/**
 * Groups files by instance: the text between the last `-` and the last `.` of the name. Each group is in name order.
 */
export function byInstance(files: readonly StoredFile[]): Map<string, StoredFile[]> {
  const groups = new Map<string, StoredFile[]>();
  for (const file of [...files].sort((a, b) => (a.filename < b.filename ? -1 : 1))) {
    const base = baseName(file.filename);
    const key = base.slice(base.lastIndexOf('-') + 1, base.lastIndexOf('.'));
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return groups;
}

async function* ndjson(lines: AsyncIterable<ReadLogLine>, { levels, contexts }: LogFilter): AsyncGenerator<string> {
  for await (const line of lines) {
    if (levels && !levels.has(line.logLevel)) continue;
    if (contexts && !contexts.has(line.context)) continue;
    yield `${JSON.stringify(line)}\n`;
  }
}

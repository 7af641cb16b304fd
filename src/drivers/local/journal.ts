import { WORK_FILES, type JournalEntry } from '../../../crawler/protocol.js';
import type { CrawlerPage, LogEvent, PageEvent } from '../crawl-driver.types.js';
import type { WorkDir } from './work-dir.js';

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1024 * 1024;
/** Greatest length of a line. Longer lines are skipped: a page row or log line is a few kB. */
const MAX_LINE_BYTES = 16 * CHUNK_BYTES;

export interface JournalBatch {
  readonly events: (PageEvent | LogEvent)[];
  /** Items that the run needs from then on. */
  readonly requiredCrawls: string[];
  /** Offset behind the last entry that was read. */
  end: number;
}

/**
 * Reads a run's `events.jsonl` from the acknowledged offset on. Files announced in it are left to the uploader, which
 * finds them in `out/`. An entry whose line is not complete yet is read the next time.
 */
export class Journal {
  private acked: number | undefined;

  constructor(private readonly dir: WorkDir) {}

  /**
   * Reads at most `max` events behind the acknowledged ones. The same events come again until they are acknowledged.
   */
  async read(max: number): Promise<JournalBatch> {
    const start = await this.ackedOffset();
    const handle = await this.dir.open(WORK_FILES.events);
    const batch: JournalBatch = { events: [], requiredCrawls: [], end: start };
    if (!handle) return batch;
    try {
      let rest = Buffer.alloc(0);
      let skipping = false;
      let at = start;
      while (batch.events.length < max) {
        const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
        const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
        const taken = takeLines(rest, batch, { max, skipFirst: skipping });
        rest = rest.subarray(taken.bytes);
        if (taken.bytes > 0) skipping = false;
        if (rest.length > MAX_LINE_BYTES) {
          batch.end += rest.length;
          rest = Buffer.alloc(0);
          skipping = true;
        }
      }
    } finally {
      await handle.close();
    }
    return batch;
  }

  async ack(end: number): Promise<void> {
    if (end <= (await this.ackedOffset())) return;
    await this.sync();
    await this.dir.write(WORK_FILES.ack, String(end));
    this.acked = end;
  }

  /**
   * Writes the journal to disk before its events are acknowledged. Otherwise, after a power failure, the crawler could
   * write other entries over lost lines. These entries would be taken for the acknowledged ones.
   */
  private async sync(): Promise<void> {
    const handle = await this.dir.open(WORK_FILES.events);
    try {
      await handle?.datasync();
    } finally {
      await handle?.close();
    }
  }

  private async ackedOffset(): Promise<number> {
    if (this.acked === undefined) {
      const offset = Number(await this.dir.readText(WORK_FILES.ack));
      this.acked = Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
    }
    return this.acked;
  }
}

/** Moves complete lines into the batch until it is full. */
function takeLines(bytes: Buffer, batch: JournalBatch, opts: { max: number; skipFirst: boolean }): { bytes: number } {
  let from = 0;
  let skip = opts.skipFirst;
  while (batch.events.length < opts.max) {
    const newline = bytes.indexOf(10, from);
    if (newline < 0) break;
    const entry = skip ? undefined : parsed(bytes.toString('utf8', from, newline));
    const event = entry && toEvent(entry);
    if (event) batch.events.push(event);
    else if (entry?.t === 'original') batch.requiredCrawls.push(entry.itemId);
    batch.end += newline + 1 - from;
    from = newline + 1;
    skip = false;
  }
  return { bytes: from };
}

/** Reads a line. Undefined for lines that a crash cut short. */
function parsed(line: string): JournalEntry | undefined {
  try {
    const entry = JSON.parse(line) as JournalEntry;
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined for entries that are no events of the port. */
function toEvent(entry: JournalEntry): PageEvent | LogEvent | undefined {
  switch (entry.t) {
    case 'page':
      return { type: 'page', page: entry.row };
    case 'qaPage':
      return { type: 'page', page: { ...entry.row, comparison: entry.comparison } satisfies CrawlerPage };
    case 'log':
      return { type: entry.list, line: JSON.stringify(entry.line), seq: entry.seq };
    default:
      return undefined;
  }
}

import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

import { readLines } from '../wacz/lines.js';
import { mergedLines } from './merged-lines.js';

/** Bytes of text held in memory before they are written to disk. */
const RUN_BYTES = 32 * 1024 * 1024;

/**
 * Sorts any number of lines in byte order: sorted runs on disk are merged when they are read. The run files have no
 * name, so the system frees them when the process dies.
 */
export class SortedLines {
  private lines: string[] = [];
  private bytes = 0;
  private readonly runs: FileHandle[] = [];

  /** @param dir where runs are written that do not fit in memory */
  constructor(
    private readonly dir = tmpdir(),
    private readonly runBytes = RUN_BYTES,
  ) {}

  get isEmpty(): boolean {
    return this.lines.length === 0 && this.runs.length === 0;
  }

  async add(line: string): Promise<void> {
    // Latin-1 has one character per byte, so comparing strings compares bytes.
    await this.addBytes(Buffer.from(line).toString('latin1'));
  }

  /** @param text a line with one character for each of its bytes */
  async addBytes(text: string): Promise<void> {
    this.lines.push(text);
    this.bytes += text.length + 1;
    if (this.bytes >= this.runBytes) await this.spill();
  }

  /** Yields the lines in order, without line ends. The set is empty afterwards. */
  async *sorted(): AsyncGenerator<Buffer> {
    if (this.runs.length === 0) {
      for (const line of this.lines.sort()) yield Buffer.from(line, 'latin1');
      return;
    }
    await this.spill();
    const runs = this.runs.map((run) => {
      const stream = run.createReadStream({ start: 0, autoClose: false, highWaterMark: 64 * 1024 });
      return readLines(stream as AsyncIterable<Buffer>, Infinity, 'latin1');
    });
    for await (const line of mergedLines(runs)) yield Buffer.from(line, 'latin1');
  }

  async close(): Promise<void> {
    this.lines = [];
    await Promise.all(this.runs.splice(0).map((run) => run.close()));
  }

  private async spill(): Promise<void> {
    if (this.lines.length === 0) return;
    const run = await namelessFile(this.dir);
    this.runs.push(run);
    const lines = this.lines.sort();
    this.lines = [];
    this.bytes = 0;
    for (let at = 0; at < lines.length; at += 10_000) {
      await run.appendFile(Buffer.from(lines.slice(at, at + 10_000).join('\n') + '\n', 'latin1'));
    }
  }
}

/** A temporary file that the system frees when it is closed. */
export async function namelessFile(dir = tmpdir()): Promise<FileHandle> {
  const path = join(dir, `muniment-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

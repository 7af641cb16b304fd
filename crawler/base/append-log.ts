import { createReadStream } from 'node:fs';
import { open, truncate, type FileHandle } from 'node:fs/promises';
import { readLines as linesOf } from '../../formats/wacz/lines.js';
import { SyncedFile } from './synced-file.js';

/** An append-only file of JSON lines. Opening it cuts off a line that a kill left incomplete. */
export class AppendLog extends SyncedFile {
  static async open(path: string): Promise<AppendLog> {
    await cutTornLine(path);
    return new AppendLog(path, await open(path, 'a', 0o600));
  }

  append(...values: unknown[]): Promise<void> {
    if (values.length === 0) return Promise.resolve();
    const text = values.map((value) => JSON.stringify(value) + '\n').join('');
    return this.appendText(text);
  }

  appendText(text: string): Promise<void> {
    return this.serial.run(async () => {
      this.dirty = true;
      await this.handle.appendFile(text);
    });
  }
}

/** The parsed lines of the file; none when it is missing. Lines that do not parse are skipped. */
export async function* readLog<T>(path: string): AsyncGenerator<T> {
  for await (const line of readLines(path)) {
    let value: T;
    try {
      value = JSON.parse(line) as T;
    } catch {
      continue;
    }
    yield value;
  }
}

/** The non-empty lines of the file; none when it is missing. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, { highWaterMark: 1 << 18 });
  try {
    for await (const line of linesOf(stream as AsyncIterable<Buffer>, Infinity)) if (line.trim()) yield line;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
}

async function cutTornLine(path: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    const { size } = await handle.stat();
    let end = size;
    const block = Buffer.alloc(65_536);
    while (end > 0) {
      const start = Math.max(0, end - block.length);
      const { bytesRead } = await handle.read(block, 0, end - start, start);
      const at = block.subarray(0, bytesRead).lastIndexOf(10);
      if (at >= 0) {
        end = start + at + 1;
        break;
      }
      end = start;
    }
    if (end < size) await truncate(path, end);
  } finally {
    await handle.close();
  }
}

import { open } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;

export interface TailBatch<T> {
  readonly entries: T[];
  /** Offset after the last whole line read. */
  readonly end: number;
}

/** Reads the whole JSON lines of a growing file after `start`, about a chunk at most. Torn lines are skipped. */
export async function readTail<T>(path: string, start: number): Promise<TailBatch<T>> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return { entries: [], end: start };
  try {
    let bytes = Buffer.alloc(0);
    let newline = -1;
    // A line longer than a chunk is read to its end.
    while (newline < 0) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, start + bytes.length);
      if (bytesRead === 0) return { entries: [], end: start };
      bytes = Buffer.concat([bytes, chunk.subarray(0, bytesRead)]);
      newline = bytes.lastIndexOf(10);
    }
    const lines = bytes.toString('utf8', 0, newline).split('\n');
    return { entries: lines.flatMap((line) => parsed<T>(line)), end: start + newline + 1 };
  } finally {
    await handle.close();
  }
}

function parsed<T>(line: string): T[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as T];
  } catch {
    return [];
  }
}

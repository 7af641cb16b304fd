import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../common/disk/sync-folder.js';
import { BackupTorn } from '../backup.errors.js';
import type { BackupKey } from './backup-key.js';
import { sealed, unsealed } from './chunked-cipher.js';

/** Bytes that are written with one call. */
const BATCH_BYTES = 1024 * 1024;

/** A file as it lies in the target. */
export interface WrittenFile {
  /** Bytes, and their SHA-256 in hex, as they are stored: of the sealed file, where there is a key. */
  readonly size: number;
  readonly sha256: string;
}

/** Writes and reads the files of a target, sealed where there is a key. A file appears whole or not at all. */
export class TargetFiles {
  private readonly touched = new Set<string>();

  constructor(
    readonly root: string,
    readonly key: BackupKey | null,
  ) {}

  /**
   * Writes a file. What it holds is on the disk when this resolves; its name is after `settle`.
   * @param place where it goes, relative to the target; a function is asked when all bytes are written
   * @param purpose what the bytes are, which a sealed file proves; its place when absent
   */
  async write(
    place: string | (() => string | null),
    bytes: AsyncIterable<Buffer>,
    { purpose = typeof place === 'string' ? place : '', signal }: { purpose?: string; signal?: AbortSignal } = {},
  ): Promise<WrittenFile> {
    const draft = join(this.root, 'drafts', randomBytes(12).toString('hex'));
    await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
    try {
      const written = await writeDraft(draft, this.key ? sealed(bytes, this.key.files, purpose) : bytes, signal);
      const final = typeof place === 'string' ? place : place();
      if (final === null) await rm(draft, { force: true });
      else await this.place(draft, join(this.root, final));
      return written;
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async remove(place: string): Promise<void> {
    await rm(join(this.root, place), { force: true });
  }

  /** Puts the names of all files written until now on the disk. */
  async settle(): Promise<void> {
    const folders = [...this.touched];
    this.touched.clear();
    for (const folder of folders) await syncFolder(folder);
  }

  /** The bytes of a file, opened where there is a key. @throws BackupTorn when it is missing or has changed */
  async *read(place: string, purpose = place): AsyncGenerator<Buffer, void, undefined> {
    const raw = this.readRaw(place);
    yield* this.key ? unsealed(raw, this.key.files, purpose) : raw;
  }

  /** The bytes of a file as they are stored. @throws BackupTorn when it is missing */
  async *readRaw(place: string): AsyncGenerator<Buffer, void, undefined> {
    const stream = createReadStream(join(this.root, place), { highWaterMark: 256 * 1024 });
    try {
      for await (const chunk of stream) yield chunk as Buffer;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new BackupTorn(`${place} is missing`, { cause: error });
    } finally {
      stream.destroy();
    }
  }

  private async place(draft: string, final: string): Promise<void> {
    const folder = dirname(final);
    if (!this.touched.has(folder)) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const one of [folder, dirname(folder)]) this.touched.add(one);
    }
    await rename(draft, final);
  }
}

async function writeDraft(draft: string, bytes: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<WrittenFile> {
  const hash = createHash('sha256');
  let size = 0;
  const file = await open(draft, 'wx', 0o600);
  try {
    let batch: Buffer[] = [];
    let batched = 0;
    const flush = async (): Promise<void> => {
      if (batched > 0) await file.appendFile(Buffer.concat(batch));
      [batch, batched] = [[], 0];
    };
    for await (const chunk of bytes) {
      signal?.throwIfAborted();
      hash.update(chunk);
      size += chunk.length;
      batched += chunk.length;
      batch.push(chunk);
      if (batched >= BATCH_BYTES || batch.length >= 500) await flush();
    }
    await flush();
    await file.sync();
  } finally {
    await file.close();
  }
  return { size, sha256: hash.digest('hex') };
}

/** All bytes of a small file. */
export async function allOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Passes bytes on, and counts and digests them. */
export class Digested {
  size = 0;
  private readonly hash = createHash('sha256');

  async *of(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    for await (const chunk of bytes) {
      this.hash.update(chunk);
      this.size += chunk.length;
      yield chunk;
    }
  }

  /** In hex; to be asked once, at the end. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}

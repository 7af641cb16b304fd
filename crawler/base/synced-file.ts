import type { FileHandle } from 'node:fs/promises';
import { Serial } from './serial.js';

/** A file that writes one piece after the other and knows whether some may not be on disk yet. */
export abstract class SyncedFile {
  protected readonly serial = new Serial();
  protected dirty = false;

  protected constructor(
    readonly path: string,
    protected readonly handle: FileHandle,
  ) {}

  /** Resolves when everything written so far is on disk. */
  sync(): Promise<void> {
    return this.serial.run(async () => {
      if (!this.dirty) return;
      this.dirty = false;
      await this.handle.datasync();
    });
  }

  async close(): Promise<void> {
    await this.sync();
    await this.serial.run(() => this.handle.close());
  }
}

/** Whether the disk, or the room allowed on it, is full. */
export function isStorageFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

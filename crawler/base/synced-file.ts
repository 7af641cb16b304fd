import type { FileHandle } from 'node:fs/promises';
import { Serial } from './serial.js';

/** A file whose writes go one after the other and which knows whether any of them may not be on disk yet. */
export abstract class SyncedFile {
  protected readonly serial = new Serial();
  protected dirty = false;

  protected constructor(
    readonly path: string,
    protected readonly handle: FileHandle,
  ) {}

  /** Everything written so far is on disk when this resolves. */
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

/** No room on the disk, or none that is allowed. */
export function isStorageFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

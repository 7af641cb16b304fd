import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Condition } from '../base/condition.js';
import { WORK_FILES } from '../protocol.js';
import { PACKED } from '../wacz/packer.js';

/** Endings of unfinished files and of files that describe another. */
const UNFINISHED = ['.json', '.tmp', PACKED];

/** Finished files wait in `out/` until the driver has stored them. */
export class Output {
  private readonly stored = new Set<string>();
  private readonly changed = new Condition();
  readonly dir: string;

  constructor(private readonly workDir: string) {
    this.dir = join(workDir, WORK_FILES.outDir);
  }

  /** Removes half-written files of a killed process. */
  async prepare(): Promise<void> {
    await mkdir(this.dir, { recursive: true });
    for (const name of await readdir(this.dir))
      if (name.endsWith('.tmp')) await rm(join(this.dir, name), { force: true });
  }

  markStored(file: string): void {
    this.stored.add(file);
    this.changed.notify();
  }

  /** Lists files that the driver has not stored yet. */
  async waiting(): Promise<string[]> {
    const names = await readdir(this.dir).catch(() => []);
    return names.filter((name) => !UNFINISHED.some((end) => name.endsWith(end)) && !this.stored.has(name));
  }

  /** Resolves when every file is stored or `stop` returns true. */
  async allStored(stop: () => boolean): Promise<void> {
    while (!stop() && (await this.waiting()).length > 0) await this.changed.wait(1_000);
  }

  /** Bytes in `archive/` and `out/`. */
  async pendingBytes(): Promise<number> {
    return (await folderBytes(join(this.workDir, WORK_FILES.archiveDir))) + (await folderBytes(this.dir));
  }
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let sum = 0;
  for (const name of names) {
    if (name.endsWith('.json')) continue;
    const info = await stat(join(folder, name)).catch(() => null);
    sum += info?.size ?? 0;
  }
  return sum;
}

import { access, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/**
 * Base of the temporary directories. Chromium puts a socket into its own, and the socket's path must stay below 108
 * bytes (unix(7)).
 */
const SHORT_BASE = '/tmp';
const PREFIX = 'muniment-';

/**
 * A short temporary directory for each child. It is outside the data directory, whose path may be long. Each is noted
 * in `folder`, so that the next service deletes those of a killed one.
 */
export class TempDirs {
  constructor(
    private readonly folder: string,
    private readonly owner: { uid: number; gid: number } | undefined,
  ) {}

  async make(): Promise<string> {
    const base = await access(SHORT_BASE).then(
      () => SHORT_BASE,
      () => tmpdir(),
    );
    const path = await mkdtemp(join(base, PREFIX));
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await writeFile(this.noteOf(path), path);
    if (this.owner) await chown(path, this.owner.uid, this.owner.gid);
    return path;
  }

  async delete(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
    await rm(this.noteOf(path), { force: true });
  }

  /** Deletes the directories that an earlier process left. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      if (!name.endsWith('.tmp')) continue;
      const path = await readFile(join(this.folder, name), 'utf8');
      // A note that a crash cut short must not name another directory.
      const isOurs =
        basename(path).startsWith(PREFIX) &&
        `${basename(path)}.tmp` === name &&
        [SHORT_BASE, tmpdir()].includes(dirname(path));
      if (isOurs) await this.delete(path);
      else await rm(join(this.folder, name), { force: true });
    }
  }

  private noteOf(path: string): string {
    return join(this.folder, `${basename(path)}.tmp`);
  }
}

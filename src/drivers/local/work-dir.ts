import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readlink, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { WORK_FILES } from '../../../crawler/protocol.js';

/** Pattern of run ids, which become directory names: the forms of crawling §1.4, and `prf-…` of profile browsers. */
const RUN_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;

/**
 * The file is not a plain file of its run's directory. The child may be hostile, and must not make the service read
 * others.
 */
export class ForeignFile extends Error {}

/**
 * One run's working directory. The child owns it, so nothing in it is trusted. Files are opened without following
 * links, and written by renaming a fresh file into place.
 */
export class WorkDir {
  constructor(
    readonly path: string,
    private readonly owner: { uid: number; gid: number } | undefined,
  ) {}

  async create(): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    if (!this.owner) return;
    const handle = await open(this.path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      await handle.chown(this.owner.uid, this.owner.gid);
    } finally {
      await handle.close();
    }
  }

  /**
   * Writes a file that the child can read. It appears whole or not at all.
   * @throws the file system's error, ENOSPC included, or the body's
   */
  async write(name: string, body: string | Readable): Promise<void> {
    const draft = join(this.path, `.${basename(name)}.${randomBytes(6).toString('hex')}`);
    const handle = await open(draft, 'wx', 0o600);
    try {
      if (typeof body === 'string') await handle.writeFile(body);
      else for await (const chunk of body) await handle.writeFile(chunk as Buffer);
      if (this.owner) await handle.chown(this.owner.uid, this.owner.gid);
      await handle.sync();
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    await rename(draft, join(this.path, name));
  }

  /** Opens a plain file inside the directory, or gives null. The caller closes it. @throws ForeignFile */
  async open(name: string): Promise<FileHandle | null> {
    const path = join(this.path, name);
    let handle: FileHandle;
    try {
      handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      if (code === 'ELOOP') throw new ForeignFile(`${path} is a link`);
      throw error;
    }
    if (await this.isOurs(handle, path)) return handle;
    await handle.close();
    throw new ForeignFile(`${path} is not a plain file of the job`);
  }

  async readText(name: string): Promise<string | null> {
    const handle = await this.open(name);
    if (!handle) return null;
    try {
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  }

  async exists(name: string): Promise<boolean> {
    return (await lstat(join(this.path, name)).catch(() => null)) !== null;
  }

  /** The names in a folder. There are none when the folder does not exist. */
  async names(folder: string): Promise<string[]> {
    const path = join(this.path, folder);
    const stat = await lstat(path).catch(() => null);
    return stat?.isDirectory() ? readdir(path) : [];
  }

  /** Bytes of the plain files in a folder. Drafts and the files in `except` are left out. */
  async folderBytes(folder: string, except: ReadonlySet<string> = new Set()): Promise<number> {
    let total = 0;
    for (const name of await this.names(folder)) {
      if (name.endsWith('.tmp') || except.has(name)) continue;
      const stat = await lstat(join(this.path, folder, name)).catch(() => null);
      if (stat?.isFile()) total += stat.size;
    }
    return total;
  }

  /** When the child last wrote to its journals. Null when there are none. */
  async lastWritten(): Promise<Date | null> {
    const stats = await Promise.all(
      [WORK_FILES.events, WORK_FILES.state, WORK_FILES.cdx].map((name) =>
        lstat(join(this.path, name)).catch(() => null),
      ),
    );
    const times = stats.flatMap((stat) => (stat ? [stat.mtimeMs] : []));
    return times.length > 0 ? new Date(Math.max(...times)) : null;
  }

  async delete(name: string): Promise<void> {
    await rm(join(this.path, name), { recursive: true, force: true });
  }

  /** Deletes all files but those named. */
  async clear(...kept: string[]): Promise<void> {
    for (const name of await this.names('.')) if (!kept.includes(name)) await this.delete(name);
  }

  async destroy(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /**
   * Whether a file is inside the directory. It guards against a link in the middle of the path, and against hard links
   * to files of others.
   */
  private async isOurs(handle: FileHandle, path: string): Promise<boolean> {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.nlink > 1) return false;
    const real = await readlink(`/proc/self/fd/${String(handle.fd)}`).catch(() => null);
    // Without /proc only the checks above are possible.
    return real === null || real === join(await realpath(this.path), relative(this.path, path));
  }
}

/** The directories of all runs, in `<DATA_DIR>/work`. */
export class WorkDirs {
  constructor(
    readonly root: string,
    readonly owner?: { uid: number; gid: number },
  ) {}

  /** The directory of a run. @throws RangeError for a text that cannot be a run id */
  of(jobId: string): WorkDir {
    if (!RUN_ID.test(jobId)) throw new RangeError(`not a job id: ${JSON.stringify(jobId)}`);
    return new WorkDir(join(this.root, jobId), this.owner);
  }

  async list(): Promise<string[]> {
    const entries = await readdir(this.root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return entries.filter((entry) => entry.isDirectory() && RUN_ID.test(entry.name)).map(({ name }) => name);
  }
}

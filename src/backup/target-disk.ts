import { mkdir, realpath, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { BackupRefused } from './backup.errors.js';

/** Bytes that stay free on the service's own disk: its database ends when it cannot write. */
const RESERVE_BYTES = 1024 ** 3;

function isWithin(folder: string, outer: string): boolean {
  const path = relative(outer, folder);
  return path !== '..' && !path.startsWith(`..${sep}`);
}

/** Refuses a target in the service's own folder: what takes the folder would take the backups. @throws BackupRefused */
export async function assertOutside(target: string, dataDir: string): Promise<void> {
  const [folder, data] = [await realOf(resolve(target)), await realOf(resolve(dataDir))];
  if (isWithin(folder, data) || isWithin(data, folder))
    throw new BackupRefused(`${folder} and the data folder ${data} are within each other: what takes one takes both`);
}

/**
 * Refuses to begin what the disk cannot hold.
 * @param bytes that are about to be written
 * @throws BackupRefused
 */
export async function assertRoom(target: string, dataDir: string, bytes: number): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(target);
  const isOwnDisk = (await stat(target)).dev === (await stat(dataDir)).dev;
  const needed = bytes + (isOwnDisk ? RESERVE_BYTES : 0);
  if (bavail * bsize >= needed) return;
  const where = isOwnDisk ? `${target} is on the disk of the data folder, where 1 GiB has to stay free, and` : target;
  throw new BackupRefused(`${where} has ${megabytes(bavail * bsize)} free; ${megabytes(needed)} are needed`);
}

const megabytes = (bytes: number): string => `${String(Math.ceil(bytes / 1e6))} MB`;

/** The folder with its links resolved; of one that is not there, with those of its nearest parent. */
async function realOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return join(await realOf(dirname(folder)), basename(folder));
  }
}

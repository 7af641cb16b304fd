import { statfs } from 'node:fs/promises';
import type { DiskSpace } from './dto/system.dto.js';

/** Space of the disk on which a folder is, as far as this process may use it. */
export async function diskSpace(folder: string): Promise<Omit<DiskSpace, 'path'>> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

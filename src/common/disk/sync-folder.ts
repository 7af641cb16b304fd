import { open } from 'node:fs/promises';

/** Has the names in a folder on the disk, such as one that a file was just moved to. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

import type { ObjectStore } from '../storage/object-store.js';

/** The copied bytes differ from the file's record in size or digest. */
export class CopyDiffers extends Error {}

interface RecordedFile {
  readonly filename: string;
  /** SHA-256 in hex, or empty where the reference recorded none. */
  readonly hash: string;
  readonly size: number;
}

/**
 * Streams an object to the same key of another store and compares what arrived with the file's record.
 * @throws CopyDiffers, after the copy was deleted from the target; StorageError
 */
export async function copyObject(
  source: ObjectStore,
  target: ObjectStore,
  file: RecordedFile,
  signal?: AbortSignal,
): Promise<void> {
  const { body, size, contentType } = await source.get(file.filename, { signal });
  try {
    const stored = await target.put(file.filename, body, { exactSize: size, contentType, signal });
    if (stored.size === file.size && (file.hash === '' || stored.sha256 === file.hash)) return;
    await target.delete(file.filename);
    throw new CopyDiffers(`${file.filename}: ${stored.size} bytes with another digest than recorded`);
  } finally {
    body.destroy();
  }
}

import { InvalidObjectKey, StorageDenied, StorageError, StorageFull, StorageUnavailable } from '../storage.errors.js';

/** Whether nothing is there: the path, or a directory on the way to it, does not exist or is of another kind. */
export function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}

/** Translates a file system failure into the errors of the port. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StorageFull('the disk that holds the storage is full', { cause: error });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StorageDenied(`the storage directory refuses access (${code})`, { cause: error });
    case 'EISDIR':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENOTEMPTY':
      return new InvalidObjectKey(`the key runs through, or is a prefix of, another key (${code})`);
    default:
      return new StorageUnavailable(`the storage directory failed (${code})`, { cause: error });
  }
}

/** Awaits a file system call and translates its failure. Errors of a body being read never pass through here. */
export async function fsCall<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw toStorageError(error);
  }
}

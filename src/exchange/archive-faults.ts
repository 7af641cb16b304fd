import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import { StorageError } from '../storage/storage.errors.js';
import { ArchiveUnavailable, UnreadableArchive } from './exchange.errors.js';

/** What a client is told of a failure while archives are read; all others stay as they are. */
export function archiveFault(error: unknown): unknown {
  if (error instanceof UnreadableWacz) return new UnreadableArchive(error.message, { cause: error });
  if (error instanceof StorageError) return new ArchiveUnavailable(error.message, { cause: error });
  return error;
}

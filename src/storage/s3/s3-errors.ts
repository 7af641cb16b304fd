import {
  ObjectNotFound,
  RangeNotSatisfiable,
  StorageDenied,
  StorageError,
  StorageFull,
  StorageUnavailable,
} from '../storage.errors.js';

interface ServiceFailure {
  readonly name?: string;
  readonly Code?: string;
  readonly code?: string;
  readonly ActualObjectSize?: string;
  readonly $metadata?: { httpStatusCode?: number };
}

/** S3 servers' ways of saying that the disk, the bucket or the account is full. */
const FULL = new Set([
  'QuotaExceeded',
  'QuotaExceededException',
  'InsufficientStorage',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'StorageFull',
]);

/**
 * Translates a failed S3 call into the errors of the port. Messages name the error code only, because SDK messages may
 * quote the request.
 */
export function toStorageError(key: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const failure = error as ServiceFailure;
  const status = failure.$metadata?.httpStatusCode ?? 0;
  const code = failure.Code ?? failure.name ?? failure.code ?? 'unknown';
  const what = `${code}${status ? `, HTTP ${status}` : ''}`;
  if (code === 'ADDRESS_REFUSED' || failure.code === 'ADDRESS_REFUSED') {
    return new StorageDenied('the storage has a private address', { cause: error });
  }
  if (code === 'NoSuchBucket') return new StorageDenied(`the bucket does not exist (${what})`, { cause: error });
  if (code === 'NoSuchKey' || code === 'NotFound' || status === 404) return new ObjectNotFound(key);
  if (status === 416) return new RangeNotSatisfiable(key, Number(failure.ActualObjectSize ?? 0));
  if (status === 507 || FULL.has(code))
    return new StorageFull(`the object storage is full (${what})`, { cause: error });
  if (status >= 400 && status < 500 && !RETRYABLE.has(status)) {
    return new StorageDenied(`the object storage refuses (${what})`, { cause: error });
  }
  return new StorageUnavailable(`the object storage failed (${what})`, { cause: error });
}

/** HTTP status of a request timeout and of too many requests: the same call may work later. */
const RETRYABLE = new Set([408, 429]);

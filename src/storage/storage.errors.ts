/**
 * What can go wrong in an object store. Each failure is a class, so that a caller can name the one it handles. Messages
 * carry the key but never a URL, a signature or a credential.
 */
export abstract class StorageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The object does not exist (or vanished between two reads). */
export class ObjectNotFound extends StorageError {
  constructor(readonly key: string) {
    super(`no object ${key}`);
  }
}

/** The key could leave the store's own space or cannot be stored by every adapter; see `assertObjectKey`. */
export class InvalidObjectKey extends StorageError {
  constructor(reason: string) {
    super(`invalid object key: ${reason}`);
  }
}

/** The body is longer than `PutOptions.maxBytes`; nothing was stored. */
export class ObjectTooLarge extends StorageError {
  constructor(
    readonly key: string,
    readonly maxBytes: number,
  ) {
    super(`object ${key} is larger than ${maxBytes} bytes`);
  }
}

/** The body does not have the `PutOptions.exactSize` it was announced with; nothing was stored. */
export class ObjectSizeDiffers extends StorageError {
  constructor(
    key: string,
    readonly bytes: number,
    readonly announced: number,
  ) {
    super(`object ${key} was announced with ${announced} bytes and has ${bytes > announced ? 'more' : bytes}`);
  }
}

/** The requested range starts behind the object's end (RFC 9110 §14.1.2). `sizeBytes` is the object's size. */
export class RangeNotSatisfiable extends StorageError {
  constructor(
    readonly key: string,
    readonly sizeBytes: number,
  ) {
    super(`range outside object ${key} of ${sizeBytes} bytes`);
  }
}

/** The store has no room left (disk full, quota of the bucket); nothing was stored. */
export class StorageFull extends StorageError {}

/** The store refuses our credentials or the operation; retrying does not help. */
export class StorageDenied extends StorageError {}

/** The store cannot be reached, times out or answers with a server error; the same call may work later. */
export class StorageUnavailable extends StorageError {}

export interface PutOptions {
  /** Media type of the object, kept where the store can. The local store derives it from the key's extension. */
  readonly contentType?: string;
  /**
   * Expected size in bytes, when known. It lets the store refuse early and choose its part size. The body may differ
   * from it.
   */
  readonly sizeHint?: number;
  /**
   * Size in bytes where it is certain. A body of another size fails with `ObjectSizeDiffers`. With a certain size the
   * store can pass the body on as it comes.
   */
  readonly exactSize?: number;
  /** The put fails with `ObjectTooLarge` as soon as more bytes than this arrive. */
  readonly maxBytes?: number;
  /** Aborting rejects the put with the signal's reason and leaves nothing behind. */
  readonly signal?: AbortSignal;
  /** Called after each chunk with the bytes accepted so far. What it throws (for a quota, say) fails the put. */
  readonly onProgress?: (bytes: number) => void;
}

/** What was stored, computed in the one pass over the body. */
export interface StoredObject {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the body, lower-case hex: `files[].hash`. */
  readonly sha256: string;
  /** CRC-32 (IEEE) of the body, unsigned: kept as the additive `files[].crc32` for resumable combined downloads. */
  readonly crc32: number;
}

import { InvalidObjectKey } from './storage.errors.js';

/** S3's limit for a key, in UTF-8 bytes (Amazon S3 User Guide, "Naming Amazon S3 objects"). */
const MAX_KEY_BYTES = 1024;
/** NAME_MAX of the usual file systems: the local adapter maps a segment to a file name. */
const MAX_SEGMENT_BYTES = 255;
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Refuses a key that some adapter could not keep, or that could point outside the store. Every adapter calls this
 * before it touches anything, so that a key valid in one storage is valid in its replica.
 * @throws InvalidObjectKey
 */
export function assertObjectKey(key: string): void {
  if (key === '') throw new InvalidObjectKey('empty');
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new InvalidObjectKey(`longer than ${MAX_KEY_BYTES} bytes`);
  if (CONTROL.test(key)) throw new InvalidObjectKey('control character');
  if (key.includes('\\')) throw new InvalidObjectKey('backslash');
  for (const segment of key.split('/')) {
    if (segment === '') throw new InvalidObjectKey('empty segment');
    if (segment === '.' || segment === '..') throw new InvalidObjectKey('dot segment');
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) {
      throw new InvalidObjectKey(`segment longer than ${MAX_SEGMENT_BYTES} bytes`);
    }
  }
}

/** Prefixes for listing follow the same rules, but may be empty or end in `/` or within a segment. */
export function assertObjectPrefix(prefix: string): void {
  if (prefix === '') return;
  assertObjectKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
}

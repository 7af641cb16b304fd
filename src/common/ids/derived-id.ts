import { createHash } from 'node:crypto';

/** Namespace of derived ids; any fixed UUID does. */
const NAMESPACE = 'b0a7f6c2-58d3-4b0e-9f0e-6f1d6c1f2a53';

function hashedUuid(name: string, version: 4 | 5): string {
  const hash = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | (version << 4), 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** UUIDv5 (RFC 9562 §5.5) of a name. */
export const derivedId = (name: string): string => hashedUuid(name, 5);

/**
 * Gives the same id for the same name, so that a repeated write makes no second page. It has the shape of version 4,
 * like the random ids of pages, which clients may check (archive.md §3).
 */
export const derivedPageId = (name: string): string => hashedUuid(name, 4);

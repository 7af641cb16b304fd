import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { canonicalUuid } from '../../common/ids/uuid.js';

/** How every key begins, so that scanners of secrets know one where it has leaked. */
export const KEY_START = 'mnm_';

/** Bytes that nobody can guess, which is why a digest without salt or delay is enough to keep. */
const SECRET_BYTES = 32;
const TEXT = /^(mnm_([\da-f]{32})_[\da-f]{64})_([\da-f]{8})$/;

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Makes the text of a new key: `mnm_<id>_<secret>_<checksum>`. It is shown once and nowhere kept. */
export function newKeyText(keyId: string): string {
  const text = `${KEY_START}${keyId.replaceAll('-', '')}_${randomBytes(SECRET_BYTES).toString('hex')}`;
  return `${text}_${checksumOf(text)}`;
}

/** What lists show of a key, by which a leaked one is found among them. */
export const keyPrefix = (keyId: string): string => `${KEY_START}${keyId.replaceAll('-', '').slice(0, 8)}`;

/** @returns the id in a key's text; null for what is no key, or was mistyped, so that nothing is looked up for it */
export function keyIdIn(text: string): string | null {
  const [, body = '', id = '', checksum] = TEXT.exec(text) ?? [];
  return checksum !== undefined && checksumOf(body) === checksum ? canonicalUuid(id) : null;
}

const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

export const hashOfKey = (text: string): string => digest(text).toString('hex');

/** Compares in constant time: digests have one length. */
export function isKeyOfHash(text: string, hash: string): boolean {
  const stored = Buffer.from(hash, 'hex');
  const given = digest(text);
  return stored.length === given.length && timingSafeEqual(stored, given);
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '../config/secret.js';

/** Bytes that only a holder of the service's secret can read: AES-256-GCM, base64 of nonce, tag and text. */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The bytes were sealed by another secret, or have changed since. */
export class NotOurSeal extends Error {}

/** @param purpose what the bytes are and whose, so that sealed bytes of one record fit no other */
export function seal(bytes: Buffer, secret: Secret, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), nonce).setAAD(Buffer.from(purpose));
  const text = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
}

/** @throws NotOurSeal */
export function unseal(sealed: string, secret: Secret, purpose: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, keyOf(secret), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new NotOurSeal(`${purpose} was sealed with another PASSWORD_SECRET`, { cause: error });
  }
}

const keyOf = (secret: Secret): Buffer =>
  Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'muniment sealed bytes', 32));

import { createHash, randomBytes } from 'node:crypto';

const CODES = 10;
/** 80 bits, which nobody guesses: a digest without salt or delay is enough to keep. */
const CODE_BYTES = 10;
/** Without letters that are read as others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TEXT = /^[0-9a-hjkmnp-tv-z]{16}$/;

/** @returns codes such as `4k7p-0xq2-…`, shown once and nowhere kept */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => {
    const bits = [...randomBytes(CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    const letters = (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[parseInt(five, 2)]).join('');
    return (letters.match(/.{4}/g) ?? []).join('-');
  });

/** @returns what is kept of a code, however it was typed; null for what is none */
export function recoveryDigest(typed: string): string | null {
  const text = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
  return TEXT.test(text) ? createHash('sha256').update(text).digest('hex') : null;
}

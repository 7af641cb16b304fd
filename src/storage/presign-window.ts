import { crc32 } from 'node:zlib';

/**
 * Part of its lifetime after which a URL is renewed. An answer that a client has already may be 5 % older
 * (`collections/replay-tag`), and half of the lifetime is to be left even then. Contract: archive.md §2.4, amended.
 */
const RENEWAL_SHARE = 0.45;

/**
 * The moment that a key's URLs are signed for: the start of its current renewal window, so that the URL stays the same
 * (and cacheable for players and browsers) until nearly half of its life is over. Windows of different keys are
 * shifted against each other, so that not all URLs change at once. Whole seconds, as SigV4 has them.
 * @param clearedAt URLs signed for an earlier moment were withdrawn: a new window started then
 */
export function signedAt(key: string, now: Date, lifetimeSeconds: number, clearedAt?: Date | null): Date {
  const window = Math.max(Math.floor(lifetimeSeconds * RENEWAL_SHARE), 1);
  const shift = crc32(key) % window;
  const seconds = Math.floor(now.getTime() / 1000);
  const start = Math.floor((seconds - shift) / window) * window + shift;
  return notBefore(clearedAt, start);
}

/** The present second, for URLs that are to live their whole life. */
export const signedNow = (now: Date, clearedAt?: Date | null): Date =>
  notBefore(clearedAt, Math.floor(now.getTime() / 1000));

const notBefore = (clearedAt: Date | null | undefined, seconds: number): Date =>
  new Date(Math.max(seconds * 1000, clearedAt?.getTime() ?? 0));

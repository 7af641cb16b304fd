import { crc32 } from 'node:zlib';

/**
 * Share of its lifetime after which a URL is renewed. An answer that a client already has may be older by another 5 %
 * of the lifetime (`collections/replay-tag`). Half of the lifetime has to be left even then. Contract: archive.md §2.4,
 * amended.
 */
const RENEWAL_SHARE = 0.45;

/**
 * The moment that a key's URLs are signed for: the start of its current renewal window. So the URL stays the same, and
 * cacheable for players and browsers, until nearly half of its lifetime is over. The windows of different keys are
 * shifted against each other, so that not all URLs change at once. The moment is a whole second, as SigV4 needs.
 * @param clearedAt URLs signed for an earlier moment were withdrawn: a new window started then
 */
export function signedAt(key: string, now: Date, lifetimeSeconds: number, clearedAt?: Date | null): Date {
  const window = Math.max(Math.floor(lifetimeSeconds * RENEWAL_SHARE), 1);
  const shift = crc32(key) % window;
  const seconds = Math.floor(now.getTime() / 1000);
  const start = Math.floor((seconds - shift) / window) * window + shift;
  return notBefore(clearedAt, start);
}

/** The present second, for URLs that need their whole lifetime. */
export const signedNow = (now: Date, clearedAt?: Date | null): Date =>
  notBefore(clearedAt, Math.floor(now.getTime() / 1000));

const notBefore = (clearedAt: Date | null | undefined, seconds: number): Date =>
  new Date(Math.max(seconds * 1000, clearedAt?.getTime() ?? 0));

import { timingSafeEqual } from 'node:crypto';

import { amzDate, MAX_PRESIGN_SECONDS, type UrlSigner } from './sigv4.js';

/** Clock difference that is forgiven, as by S3: a URL that was signed for the next second must work at once. */
const MAX_SKEW_MS = 15 * 60 * 1000;

export type UrlVerdict =
  { valid: true; expiresAt: Date } | { valid: false; detail: 'signature_expired' | 'invalid_signature' };

const INVALID: UrlVerdict = { valid: false, detail: 'invalid_signature' };

/** What the signatures of a store's presigned URLs cover. */
export interface SigningScope {
  readonly signer: UrlSigner;
  readonly host: string;
  /** The path is absolute; the key follows it. */
  readonly pathPrefix: string;
}

/** Judges the query of a URL that a store with this scope presigned for `key`. */
export function verifySignedUrl(scope: SigningScope, key: string, query: URLSearchParams, now: Date): UrlVerdict {
  const expiresInSeconds = wholeNumber(query.get('X-Amz-Expires'));
  const signedAt = parseAmzDate(query.get('X-Amz-Date') ?? '');
  if (!signedAt || expiresInSeconds < 1 || expiresInSeconds > MAX_PRESIGN_SECONDS) return INVALID;
  if (query.get('X-Amz-Credential') !== scope.signer.credential(signedAt)) return INVALID;
  const path = `${scope.pathPrefix}${key}`;
  const expected = scope.signer.signature({ host: scope.host, path, signedAt, expiresInSeconds });
  if (!sameText(query.get('X-Amz-Signature') ?? '', expected)) return INVALID;
  if (signedAt.getTime() - now.getTime() > MAX_SKEW_MS) return INVALID;
  const expiresAt = new Date(signedAt.getTime() + expiresInSeconds * 1000);
  return expiresAt > now ? { valid: true, expiresAt } : { valid: false, detail: 'signature_expired' };
}

function wholeNumber(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function parseAmzDate(text: string): Date | null {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour, minute, second] = match.slice(1).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return amzDate(date) === text ? date : null;
}

/** The comparison takes constant time for equal lengths. The length of a signature is no secret. */
function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

import { parseCdxjLine } from '../../formats/cdx/cdxj.js';
import { isoOfTimestamp } from '../../formats/cdx/timestamp.js';

/** Records smaller than this are not worth a reference, which needs several hundred bytes itself. */
export const LEAST_RECORD_BYTES = 1_000;

/** What an index line says about a capture of http or https. */
export interface CaptureLine {
  /** `original`: others may refer to it. `revisit`: it refers to another. `other`: neither. */
  readonly kind: 'original' | 'revisit' | 'other';
  /** SHA-256 of the body; null where the index has another digest, such as the SHA-1 of older tools. */
  readonly digest: Buffer | null;
  readonly url: string;
  readonly date: Date;
  /** Bytes of the record. */
  readonly size: number;
}

/**
 * Reads a line of a WACZ's index. Only a whole 200 of a GET can be an original: replay finds other methods by more than
 * their URL. Returns null for what is no capture of the web, such as texts of pages (`urn:`).
 */
export function readCaptureLine(line: string): CaptureLine | null {
  const parsed = parseCdxjLine(line);
  if (!parsed) return null;
  const { url, status, mime, digest, length, method } = parsed.fields;
  if (typeof url !== 'string' || !/^https?:/i.test(url)) return null;
  const date = dateOf(parsed.ts);
  const size = Number(length);
  if (!date || !Number.isSafeInteger(size) || size < 0) return null;
  const sha256 = typeof digest === 'string' ? sha256Of(digest) : null;
  const capture = { digest: sha256, url, date, size };
  if (mime === 'warc/revisit') return { ...capture, kind: 'revisit' };
  const isGet = (method === undefined || method === 'GET') && !/[?&]__wb_method=/.test(parsed.key);
  const isOriginal = isGet && sha256 !== null && String(status) === '200' && size >= LEAST_RECORD_BYTES;
  return { ...capture, kind: isOriginal ? 'original' : 'other' };
}

/** Digits behind the milliseconds are left out. */
function dateOf(ts: string): Date | null {
  const iso = isoOfTimestamp(/^\d{14}(?:\d{3})?/.exec(ts)?.[0] ?? '');
  return iso ? new Date(iso) : null;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of `sha256:<hex>`, `sha-256:<hex>` or the same in base 32. */
export function sha256Of(digest: string): Buffer | null {
  const [, text = ''] = /^sha-?256:([0-9a-z]+)=*$/i.exec(digest) ?? [];
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  if (!/^[a-z2-7]{52}$/i.test(text)) return null;
  let bits = '';
  for (const letter of text.toUpperCase()) bits += BASE32.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from(
    bits
      .slice(0, 256)
      .match(/.{8}/g)!
      .map((byte) => parseInt(byte, 2)),
  );
}

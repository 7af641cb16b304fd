import { createHash } from 'node:crypto';
import { parseCdxjLine } from '../../formats/cdx/cdxj.js';
import { sha256Of } from '../dedupe/capture-line.js';
import { KEPT_BYTES } from './digest-set.js';

/** Which body a record has, or refers to. */
export interface BodyLine {
  readonly isRevisit: boolean;
  /** 16 bytes that stand for the digest, whichever hash it was made with. */
  readonly digest: Buffer;
  readonly url: string;
}

/**
 * Reads a line of a WACZ's index. Any record of the web with a digest counts, of any size and status: a crawl refers to
 * more of its own records than it does to those of others. Returns null for other lines.
 */
export function readBodyLine(line: string): BodyLine | null {
  const { url, mime, digest } = parseCdxjLine(line)?.fields ?? {};
  if (typeof url !== 'string' || !/^https?:/i.test(url) || typeof digest !== 'string' || digest === '') return null;
  return { isRevisit: mime === 'warc/revisit', digest: keptOf(digest), url };
}

/** SHA-256 is written in several ways; what else there is, each tool writes in one. */
function keptOf(digest: string): Buffer {
  const bytes = sha256Of(digest) ?? createHash('sha256').update(digest.toLowerCase()).digest();
  return bytes.subarray(0, KEPT_BYTES);
}

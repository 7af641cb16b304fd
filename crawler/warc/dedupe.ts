import { createHash } from 'node:crypto';

export interface FirstCapture {
  readonly url: string;
  readonly date: string;
  /** The WACZ of this crawl that holds it, once it is being written. */
  wacz?: string;
}

/** The earlier captures. They decide whether a response is written whole, as a revisit, or not at all. */
export class DuplicateIndex {
  private readonly byDigest = new Map<string, FirstCapture>();
  private readonly seen = new Set<string>();

  /** True when the same request has had an answer of this status (POST: the same answer). */
  isRepeat(capture: { key: string; method: string; status: number; digest: string }): boolean {
    return this.seen.has(seenHash(capture));
  }

  /** The first capture of the same payload, under whatever URL. */
  original(digest: string): FirstCapture | undefined {
    return this.byDigest.get(shortDigest(digest));
  }

  /** Notes that the request has had this answer. */
  see(capture: { key: string; method: string; status: number; digest: string }): void {
    this.seen.add(seenHash(capture));
  }

  /** Notes that the capture's record contains the payload, so that later records may refer to it. */
  keep(fullDigest: string, whole: FirstCapture): void {
    const digest = shortDigest(fullDigest);
    if (!this.byDigest.has(digest)) this.byDigest.set(digest, whole);
  }
}

/** 128 bits are enough against collisions and need half the memory. */
function shortDigest(digest: string): string {
  return Buffer.from(digest.slice('sha256:'.length, 'sha256:'.length + 32), 'hex').toString('latin1');
}

function seenHash({
  key,
  method,
  status,
  digest,
}: {
  key: string;
  method: string;
  status: number;
  digest: string;
}): string {
  const text = method === 'GET' ? `${status} ${key}` : `${status} ${key} ${digest}`;
  return createHash('sha256').update(text).digest().toString('latin1', 0, 16);
}

import type { OriginalCapture } from '../protocol.js';
import type { DuplicateIndex, FirstCapture } from './dedupe.js';
import type { Originals } from './originals.js';

/**
 * Smallest body that other items are asked for, bytes. Below it a revisit record is hardly smaller than the body, and
 * one more item would be needed for it.
 */
export const LEAST_ORIGINAL_BYTES = 1_024;

/** The earlier capture of a body that a revisit record refers to. */
export interface Reference {
  readonly url: string;
  /** Exact date of the record. */
  readonly date: string;
  /** The WACZ of this crawl that holds it. */
  readonly wacz?: string;
  /** Set when another item holds it. */
  readonly original?: OriginalCapture;
}

/** A whole body of an answer with status 200. */
export interface Payload {
  readonly digest: string;
  readonly size: number;
  readonly method: string;
  /** The capture of it at hand. */
  readonly here: FirstCapture;
}

/**
 * Decides what a body is referred to instead of being written again. What the crawl has captured itself comes first, so
 * that it needs no more items than it must, and a crawl that is continued goes on as it began.
 */
export class References {
  /** By digest the question to other items that is open. Equal bodies that arrive meanwhile wait for its answer. */
  private readonly deciding = new Map<string, Promise<OriginalCapture | undefined>>();

  constructor(
    private readonly index: DuplicateIndex,
    private readonly originals: Originals,
    /** A crawl is never told to refer to itself. */
    private readonly jobId: string,
  ) {}

  /** The earlier capture to refer to. Null: the body has to be written whole, by the caller alone. */
  async of(payload: Payload): Promise<Reference | null> {
    const { digest, here } = payload;
    const own = this.index.original(digest);
    if (own) return ofOwn(own, here);
    const open = this.deciding.get(digest);
    if (open) {
      const original = await open;
      if (original) return toReference(original);
      const first = this.index.original(digest);
      return first ? ofOwn(first, here) : null;
    }
    // The record of another method is found by an address that holds the request's body; a revisit can't name that.
    const mayBeReferredTo = payload.method === 'GET';
    if (!mayBeReferredTo || payload.size < LEAST_ORIGINAL_BYTES) {
      if (mayBeReferredTo) this.index.keep(digest, here);
      return null;
    }
    const original = await this.ask(digest, here);
    return original ? toReference(original) : null;
  }

  private async ask(digest: string, here: FirstCapture): Promise<OriginalCapture | undefined> {
    const decision = this.originals.find(digest).then((found) => {
      const original = found && found.itemId !== this.jobId ? found : undefined;
      // Before anyone who waits goes on.
      if (!original) this.index.keep(digest, here);
      this.deciding.delete(digest);
      return original;
    });
    this.deciding.set(digest, decision);
    return decision;
  }
}

/** Within a crawl the same address does not refer to itself: replay would find the revisit record only. */
const ofOwn = (own: FirstCapture, here: FirstCapture): Reference | null => (own.url === here.url ? null : own);

const toReference = (original: OriginalCapture): Reference => ({ url: original.url, date: original.date, original });

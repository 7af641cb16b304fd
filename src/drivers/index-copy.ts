import type { JobId, Original } from './crawl-driver.types.js';

/** A body in the copy of an index. */
export interface CopiedEntry {
  /** SHA-256 of the body in hex. */
  readonly digest: string;
  readonly itemId: string;
  /** Number of the WACZ in the list that `begin` stored. */
  readonly wacz: number;
  readonly url: string;
  readonly date: Date;
  /** Bytes of the record. */
  readonly size: number;
}

/** Nothing of what was written is there any more: the run is over, or what held the copy lost its data. */
export class IndexCopyLost extends Error {
  override name = 'IndexCopyLost';
}

/** What holds the copy takes no more, as when its memory is full. */
export class IndexCopyRefused extends Error {
  override name = 'IndexCopyRefused';
}

/**
 * The copy of a collection's dedupe index that the crawlers of one run read by themselves. Any part of an index is a
 * valid copy, since crawlers capture whole what they don't find. Every write may be repeated, and may throw
 * `IndexCopyLost` or `IndexCopyRefused`.
 */
export abstract class IndexCopy {
  /** The sources that the copy has whole, with the items that they belong to. */
  abstract sources(): Promise<Map<string, string>>;

  /** Number of bodies. Those of forgotten items are counted while others are there, until these take their places. */
  abstract size(): Promise<number>;

  /** Makes crawlers find nothing of these items any more. Its cost does not depend on the number of their bodies. */
  abstract forget(itemIds: readonly string[]): Promise<void>;

  /** Begins an item anew, with the list of its WACZs. */
  abstract begin(itemId: string, waczs: readonly Original['wacz'][]): Promise<void>;

  /** Adds bodies of items that were begun, a thousand at most. */
  abstract put(entries: readonly CopiedEntry[]): Promise<void>;

  /** Notes that the copy has these sources whole. */
  abstract complete(sources: ReadonlyMap<string, string>): Promise<void>;
}

/** Opens the copy of a run's index. `later`: what holds it is not there yet. `none`: there is no place for it. */
export type OpenIndexCopy = (id: JobId) => Promise<IndexCopy | 'later' | 'none'>;

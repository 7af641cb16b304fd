import type { QueuedPage } from './state-log.js';

export interface FoundPage {
  readonly url: string;
  readonly depth: number;
  readonly hops: number;
  readonly seedId: number;
  readonly seed: boolean;
  /** Whether URLs that differ in their hash are different pages. */
  readonly allowHash: boolean;
}

/** Out-of-scope hops come after all in-scope depths, retries and interruptions after those. Spec crawling §14.5, `:q`. */
export const HOP_WEIGHT = 1_000_000;
export const RETRY_WEIGHT = 2_000_000;

/** A page is tried this often again after a crash of its browser or a failed load. */
const MAX_RETRIES = 2;
/** More than that many deaths of the process under one page are taken for its doing. */
export const MAX_INTERRUPTIONS = 5;

/** Whether the page is not to be visited again: it may be what its processes died of. */
export const isWornOut = ({ interruptions }: QueuedPage): boolean => interruptions > MAX_INTERRUPTIONS;

/** Whether a further failure would be the page's last: its row is then written before `retry` says so. */
export const isLastTry = (page: QueuedPage, most = MAX_RETRIES): boolean => page.retries >= most || isWornOut(page);

export interface RetryOptions {
  /** How long the page stays back. */
  readonly delayMs?: number;
  readonly most?: number;
}

/** The queue was emptied under the crawl. */
export class QueueLost extends Error {
  override name = 'QueueLost';
}

/** The pages of a crawl: which wait, which are in flight, which URLs were seen. */
export interface PageQueue {
  readonly found: number;
  readonly done: number;
  readonly failed: number;
  /** Pages that wait, those held back among them. */
  readonly pending: number;
  /** Pages in flight in this process. */
  readonly busy: number;
  readonly isFull: boolean;
  /** After `take` had none: no page waits or is in flight anywhere. */
  readonly isExhausted: boolean;

  /** Settles what a former process left; before the first page. */
  open(): Promise<void>;
  /** Whether the seeds were queued. */
  isSeeded(): Promise<boolean>;
  /** Remembers that the seeds are queued. */
  markSeeded(): Promise<void>;
  /** Whether this process is to read the sitemaps: `wait` while another one does. */
  sitemaps(): Promise<'read' | 'wait' | 'done'>;
  sitemapsRead(): Promise<void>;

  /** Queues the pages that are new, up to the page limit; returns how many were. */
  add(pages: readonly FoundPage[]): Promise<number>;
  /** Whether the URL is known here; one that is not may still be no new one to `add`. */
  hasSeen(url: string, allowHash: boolean): boolean;
  /** Takes the next page; null when none is ready. */
  take(): Promise<QueuedPage | null>;
  /** Whether the page is still this process's to finish. */
  owns(page: QueuedPage): Promise<boolean>;
  finish(page: QueuedPage): Promise<void>;
  /** Counts a failed try; returns false when the page is given up. */
  retry(page: QueuedPage, options?: RetryOptions): Promise<boolean>;
  /** Puts a page back that was interrupted through no fault of its own. */
  giveBack(page: QueuedPage): Promise<void>;
  /** Drops queued pages; returns how many. Those in flight are the caller's to abort. */
  drop(matches: (url: string) => boolean): Promise<number>;
  /** A page in flight that is excluded meanwhile counts as never found. */
  abandon(page: QueuedPage): Promise<void>;
  /** A seed was redirected: the scope of `url` belongs to it as well, also after a restart. */
  keepRedirect(seedId: number, url: string): Promise<void>;

  /** After how many ms without news `take` is worth another try. */
  nextTryMs(): number;
  /** Queued URLs in the order they will be taken, those in flight not among them. */
  list(offset: number, count: number): string[];
  close(): Promise<void>;
}

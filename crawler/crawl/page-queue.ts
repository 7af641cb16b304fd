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

/** Out-of-scope hops come after all in-scope depths; retries and interruptions follow. Spec crawling §14.5, `:q`. */
export const HOP_WEIGHT = 1_000_000;
export const RETRY_WEIGHT = 2_000_000;

/** How often a page is tried again after a crash of its browser or a failed load. */
const MAX_RETRIES = 2;
/** When the process died more often than this during a page, the page counts as the cause. */
export const MAX_INTERRUPTIONS = 5;

/** Whether the page must not be visited again, because it may have caused the deaths of its processes. */
export const isWornOut = ({ interruptions }: QueuedPage): boolean => interruptions > MAX_INTERRUPTIONS;

/** Whether another failure would be the page's last. Its row is then written before `retry` reports it. */
export const isLastTry = (page: QueuedPage, most = MAX_RETRIES): boolean => page.retries >= most || isWornOut(page);

export interface RetryOptions {
  /** How long the page is held back, ms. */
  readonly delayMs?: number;
  readonly most?: number;
}

/** Somebody emptied the queue of the running crawl. */
export class QueueLost extends Error {
  override name = 'QueueLost';
}

/** The pages of a crawl: waiting pages, pages in flight, and the URLs seen. */
export interface PageQueue {
  readonly found: number;
  readonly done: number;
  readonly failed: number;
  /** Number of waiting pages, including those held back. */
  readonly pending: number;
  /** Number of pages in flight in this process. */
  readonly busy: number;
  readonly isFull: boolean;
  /** Valid after `take` gave none: no page waits or is in flight anywhere. */
  readonly isExhausted: boolean;

  /** Settles the leftovers of a former process; call it before the first page. */
  open(): Promise<void>;
  /** Whether the seeds were queued. */
  isSeeded(): Promise<boolean>;
  /** Remembers that the seeds are queued. */
  markSeeded(): Promise<void>;
  /** Whether this process is to read the sitemaps; `wait` while another one reads them. */
  sitemaps(): Promise<'read' | 'wait' | 'done'>;
  sitemapsRead(): Promise<void>;

  /** Queues the pages that are new, up to the page limit; returns how many were. */
  add(pages: readonly FoundPage[]): Promise<number>;
  /** Whether the URL is known here. `add` may refuse an unknown URL as seen too. */
  hasSeen(url: string, allowHash: boolean): boolean;
  /** Takes the next page; null when none is ready. */
  take(): Promise<QueuedPage | null>;
  /** Whether the page still belongs to this process. */
  owns(page: QueuedPage): Promise<boolean>;
  finish(page: QueuedPage): Promise<void>;
  /** Counts a failed try; returns false when the page is given up. */
  retry(page: QueuedPage, options?: RetryOptions): Promise<boolean>;
  /** Requeues a page that was interrupted without a fault of its own. */
  giveBack(page: QueuedPage): Promise<void>;
  /** Drops queued pages and returns how many. The caller must abort those in flight. */
  drop(matches: (url: string) => boolean): Promise<number>;
  /** Forgets a page in flight that is excluded now, as if it had never been found. */
  abandon(page: QueuedPage): Promise<void>;
  /** Adds the scope of `url` to a redirected seed, also after a restart. */
  keepRedirect(seedId: number, url: string): Promise<void>;

  /** How many ms `take` should wait for news before the next try. */
  nextTryMs(): number;
  /** Queued URLs in the order of their visits, without those in flight. */
  list(offset: number, count: number): string[];
  close(): Promise<void>;
}

import type { Item } from './item.schema.js';

/** What an item's document says of its pages, without reading them. */
export interface KnownPages {
  /** Number of pages; null while it may change and where pages were never counted. */
  readonly count: number | null;
  /** Whether the QA run in question belongs to this item. */
  readonly hasRun: boolean;
}

type Counted = Pick<Item, 'pageCount' | 'finished' | 'version' | 'isMigrating'>;

/** The number of an item's pages, all kinds of them; null while it may change and where pages were never counted. */
export const knownPageCount = ({ pageCount, finished, version, isMigrating }: Counted): number | null =>
  (finished && version === 2 && !isMigrating && pageCount) || null;

/** Whether a QA run belongs to this item. A QA run belongs to one item only. */
export const hasQaRun = ({ qa, qaFinished }: Pick<Item, 'qa' | 'qaFinished'>, runId: string): boolean =>
  qa?.id === runId || Object.hasOwn(qaFinished ?? {}, runId);

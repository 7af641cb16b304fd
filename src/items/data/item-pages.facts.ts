import type { Item } from './item.schema.js';

/** What an item tells of its pages without a look at them. */
export interface KnownPages {
  /** How many there are; null while that may change, and where it was never counted. */
  readonly count: number | null;
  /** Whether the QA run that was asked about is one of this item. */
  readonly hasRun: boolean;
}

/** Whether a QA run is one of this item, and then of no other. */
export const hasQaRun = ({ qa, qaFinished }: Pick<Item, 'qa' | 'qaFinished'>, runId: string): boolean =>
  qa?.id === runId || Object.hasOwn(qaFinished ?? {}, runId);

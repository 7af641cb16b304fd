import type { Schemas } from '../../api/client';

export type WebhookEvent = Schemas['WebhookEventType'];

/** Events in the order of an archived item's life. */
export const EVENTS = [
  'crawlStarted',
  'crawlFinished',
  'crawlReviewed',
  'crawlDeleted',
  'qaAnalysisStarted',
  'qaAnalysisFinished',
  'uploadFinished',
  'uploadDeleted',
  'addedToCollection',
  'removedFromCollection',
  'collectionDeleted',
] as const satisfies readonly WebhookEvent[];

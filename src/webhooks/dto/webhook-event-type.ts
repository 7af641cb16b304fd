/** The contract's `WebhookEventType`. */
export const WEBHOOK_EVENT_TYPES = [
  'crawlStarted',
  'crawlFinished',
  'crawlDeleted',
  'qaAnalysisStarted',
  'qaAnalysisFinished',
  'crawlReviewed',
  'uploadFinished',
  'uploadDeleted',
  'addedToCollection',
  'removedFromCollection',
  'collectionDeleted',
] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

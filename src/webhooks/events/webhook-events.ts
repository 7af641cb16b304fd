import { declareWebhookUrl } from '../../orgs/dto/org-settings.dto.js';
import { addedToCollection } from './added-to-collection.event.js';
import { collectionDeleted } from './collection-deleted.event.js';
import { crawlDeleted } from './crawl-deleted.event.js';
import { crawlFinished } from './crawl-finished.event.js';
import { crawlReviewed } from './crawl-reviewed.event.js';
import { crawlStarted } from './crawl-started.event.js';
import { qaAnalysisFinished } from './qa-analysis-finished.event.js';
import { qaAnalysisStarted } from './qa-analysis-started.event.js';
import { removedFromCollection } from './removed-from-collection.event.js';
import { uploadDeleted } from './upload-deleted.event.js';
import { uploadFinished } from './upload-finished.event.js';
import { EXAMPLE } from './example-values.js';
import { exampleBody, type WebhookEvent } from './webhook-event.js';

const EVENTS = [
  ...[crawlStarted, crawlFinished, crawlDeleted, qaAnalysisStarted, qaAnalysisFinished, crawlReviewed],
  ...[uploadFinished, uploadDeleted, addedToCollection, removedFromCollection, collectionDeleted],
] as const;

export type AnyWebhookBody = InstanceType<(typeof EVENTS)[number]['body']>;

/** The contract's `WebhookEventType`. */
export type WebhookEventType = AnyWebhookBody['event'];

/** Every event, in the contract's order. Org URLs, documentation, stored notifications and listeners use it. */
export const WEBHOOK_EVENTS: readonly WebhookEvent<AnyWebhookBody>[] = EVENTS;

/** The bodies for the OpenAPI document. */
export const DOCUMENTED_EVENTS = WEBHOOK_EVENTS.map((event) => ({
  name: event.name,
  body: event.body,
  example: exampleBody(event, EXAMPLE.orgId),
}));

export const WEBHOOK_EVENT_TYPES = WEBHOOK_EVENTS.map(({ name }) => name);

for (const event of WEBHOOK_EVENT_TYPES) declareWebhookUrl(event);

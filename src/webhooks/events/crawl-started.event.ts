import { literal } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlStartedBody extends WebhookBody {
  @Field(str()) itemId!: string;
  @Field(bool(), { default: false }) scheduled!: boolean;
  @Field(literal('crawlStarted'), { default: 'crawlStarted' }) event!: 'crawlStarted';
}

export const crawlStarted = webhookEvent({
  name: 'crawlStarted',
  body: CrawlStartedBody,
  facts: { 'crawl.started': ({ crawlId, scheduled }) => [() => ({ itemId: crawlId, scheduled })] },
  // However often it starts again.
  oncePerItem: true,
});

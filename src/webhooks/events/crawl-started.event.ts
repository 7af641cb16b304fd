import { Str, Bool, OneOf } from '../../common/validation/fields.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlStartedBody extends WebhookBody {
  @Str() itemId!: string;
  @Bool() scheduled = false;
  @OneOf(['crawlStarted']) event = 'crawlStarted' as const;
}

export const crawlStarted = webhookEvent({
  name: 'crawlStarted',
  body: CrawlStartedBody,
  facts: { 'crawl.started': ({ crawlId, scheduled }) => [() => ({ itemId: crawlId, scheduled })] },
  // However often it starts again.
  oncePerItem: true,
});

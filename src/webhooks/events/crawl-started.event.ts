import { Str, Bool, OneOf } from '../../common/validation/fields.js';
import { EXAMPLE } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlStartedBody extends WebhookBody {
  @Str() itemId!: string;
  /** Whether the schedule started it, not a person. */
  @Bool() scheduled = false;
  @OneOf(['crawlStarted']) event = 'crawlStarted' as const;
}

export const crawlStarted = webhookEvent({
  name: 'crawlStarted',
  body: CrawlStartedBody,
  example: { itemId: EXAMPLE.itemId, scheduled: false },
  facts: { 'crawl.started': ({ crawlId, scheduled }) => [() => ({ itemId: crawlId, scheduled })] },
  // A crawl that starts again is not told again.
  oncePerItem: true,
});

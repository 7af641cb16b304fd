import { Str, OneOf, ListOf } from '../../common/validation/fields.js';
import { CrawlFileOut } from '../../items/dto/items.dto.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlFinishedBody extends WebhookBody {
  @Str() itemId!: string;
  @ListOf(() => CrawlFileOut) resources!: CrawlFileOut[];
  @Str() state!: string;
  @OneOf(['crawlFinished']) event = 'crawlFinished' as const;
}

export const crawlFinished = webhookEvent({
  name: 'crawlFinished',
  body: CrawlFinishedBody,
  facts: {
    'crawl.finished': ({ crawlId, state }) => [(org, bodies) => bodies.finishedItem(org, crawlId, state)],
  },
});

import { Str, OneOf, ListOf } from '../../common/validation/fields.js';
import { CrawlFileOut } from '../../items/dto/items.dto.js';
import { EXAMPLE, exampleFile } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlFinishedBody extends WebhookBody {
  @Str() itemId!: string;
  @ListOf(() => CrawlFileOut) resources!: CrawlFileOut[];
  /** State that the crawl ended in. */
  @Str() state!: string;
  @OneOf(['crawlFinished']) event = 'crawlFinished' as const;
}

export const crawlFinished = webhookEvent({
  name: 'crawlFinished',
  body: CrawlFinishedBody,
  example: { itemId: EXAMPLE.itemId, resources: [exampleFile('20260102030405-example.wacz')], state: 'complete' },
  facts: {
    'crawl.finished': ({ crawlId, state }) => [(org, bodies) => bodies.finishedItem(org, crawlId, state)],
  },
});

import { list, literal, model } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CrawlFinishedBody extends WebhookBody {
  @Field(str()) itemId!: string;
  @Field(list(model(() => CrawlFileOut))) resources!: CrawlFileOut[];
  @Field(str()) state!: string;
  @Field(literal('crawlFinished'), { default: 'crawlFinished' }) event!: 'crawlFinished';
}

export const crawlFinished = webhookEvent({
  name: 'crawlFinished',
  body: CrawlFinishedBody,
  facts: {
    'crawl.finished': ({ crawlId, state }) => [(org, bodies) => bodies.finishedItem(org, crawlId, state)],
  },
});

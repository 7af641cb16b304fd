import { list, literal, model } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class UploadFinishedBody extends WebhookBody {
  @Field(str()) itemId!: string;
  @Field(list(model(() => CrawlFileOut))) resources!: CrawlFileOut[];
  @Field(str()) state!: string;
  @Field(literal('uploadFinished'), { default: 'uploadFinished' }) event!: 'uploadFinished';
}

export const uploadFinished = webhookEvent({
  name: 'uploadFinished',
  body: UploadFinishedBody,
  facts: {
    'upload.finished': ({ itemId, state }) =>
      state === 'complete' ? [(org, bodies) => bodies.finishedItem(org, itemId, state)] : [],
  },
});

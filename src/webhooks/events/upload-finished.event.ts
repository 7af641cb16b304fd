import { Str, OneOf, ListOf } from '../../common/validation/fields.js';
import { CrawlFileOut } from '../../items/dto/items.dto.js';
import { EXAMPLE, exampleFile } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class UploadFinishedBody extends WebhookBody {
  @Str() itemId!: string;
  @ListOf(() => CrawlFileOut) resources!: CrawlFileOut[];
  /** State of the upload, `complete`. */
  @Str() state!: string;
  @OneOf(['uploadFinished']) event = 'uploadFinished' as const;
}

export const uploadFinished = webhookEvent({
  name: 'uploadFinished',
  body: UploadFinishedBody,
  example: { itemId: EXAMPLE.itemId, resources: [exampleFile('20260102030405-example.wacz')], state: 'complete' },
  facts: {
    'upload.finished': ({ itemId, state }) =>
      state === 'complete' ? [(org, bodies) => bodies.finishedItem(org, itemId, state)] : [],
  },
});

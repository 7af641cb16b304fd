import { Str, OneOf } from '../../common/validation/fields.js';
import { EXAMPLE } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class UploadDeletedBody extends WebhookBody {
  @Str() itemId!: string;
  @OneOf(['uploadDeleted']) event = 'uploadDeleted' as const;
}

export const uploadDeleted = webhookEvent({
  name: 'uploadDeleted',
  body: UploadDeletedBody,
  example: { itemId: EXAMPLE.itemId },
  facts: { 'item.deleted': ({ itemId, type }) => (type === 'upload' ? [() => ({ itemId })] : []) },
});

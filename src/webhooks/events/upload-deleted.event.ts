import { Str, OneOf } from '../../common/validation/fields.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class UploadDeletedBody extends WebhookBody {
  @Str() itemId!: string;
  @OneOf(['uploadDeleted']) event = 'uploadDeleted' as const;
}

export const uploadDeleted = webhookEvent({
  name: 'uploadDeleted',
  body: UploadDeletedBody,
  facts: { 'item.deleted': ({ itemId, type }) => (type === 'upload' ? [() => ({ itemId })] : []) },
});

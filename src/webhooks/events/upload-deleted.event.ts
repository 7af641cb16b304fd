import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class UploadDeletedBody extends WebhookBody {
  @Field(str()) itemId!: string;
  @Field(literal('uploadDeleted'), { default: 'uploadDeleted' }) event!: 'uploadDeleted';
}

export const uploadDeleted = webhookEvent({
  name: 'uploadDeleted',
  body: UploadDeletedBody,
  facts: { 'item.deleted': ({ itemId, type }) => (type === 'upload' ? [() => ({ itemId })] : []) },
});

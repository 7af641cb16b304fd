import { Str, OneOf } from '../../common/validation/fields.js';
import { EXAMPLE } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CollectionDeletedBody extends WebhookBody {
  @OneOf(['collectionDeleted']) event = 'collectionDeleted' as const;
  @Str() collectionId!: string;
}

export const collectionDeleted = webhookEvent({
  name: 'collectionDeleted',
  body: CollectionDeletedBody,
  example: { collectionId: EXAMPLE.collectionId },
  facts: { 'collection.deleted': ({ collectionId }) => [() => ({ collectionId })] },
});

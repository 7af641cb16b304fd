import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CollectionDeletedBody extends WebhookBody {
  @Field(literal('collectionDeleted'), { default: 'collectionDeleted' }) event!: 'collectionDeleted';
  @Field(str()) collectionId!: string;
}

export const collectionDeleted = webhookEvent({
  name: 'collectionDeleted',
  body: CollectionDeletedBody,
  facts: { 'collection.deleted': ({ collectionId }) => [() => ({ collectionId })] },
});

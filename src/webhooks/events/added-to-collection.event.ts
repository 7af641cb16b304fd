import { Str, OneOf, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CollectionItemAddedBody extends WebhookBody {
  @Str() collectionId!: string;
  @ListOf(str()) itemIds!: string[];
  @Str() downloadUrl!: string;
  @OneOf(['addedToCollection']) event = 'addedToCollection' as const;
}

export const addedToCollection = webhookEvent({
  name: 'addedToCollection',
  body: CollectionItemAddedBody,
  facts: {
    'collection.itemsAdded': ({ collectionId, itemIds }) => [
      (org, bodies) => bodies.itemsOfCollection(org, collectionId, itemIds),
    ],
  },
  tellsApart: ({ collectionId }) => collectionId,
});

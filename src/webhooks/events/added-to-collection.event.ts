import { Str, OneOf, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { EXAMPLE } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CollectionItemAddedBody extends WebhookBody {
  @Str() collectionId!: string;
  @ListOf(str()) itemIds!: string[];
  /** Address of the collection's download. */
  @Str() downloadUrl!: string;
  @OneOf(['addedToCollection']) event = 'addedToCollection' as const;
}

export const addedToCollection = webhookEvent({
  name: 'addedToCollection',
  body: CollectionItemAddedBody,
  example: { collectionId: EXAMPLE.collectionId, itemIds: [EXAMPLE.itemId], downloadUrl: EXAMPLE.downloadUrl },
  facts: {
    'collection.itemsAdded': ({ collectionId, itemIds }) => [
      (org, bodies) => bodies.itemsOfCollection(org, collectionId, itemIds),
    ],
  },
  tellsApart: ({ collectionId }) => collectionId,
});

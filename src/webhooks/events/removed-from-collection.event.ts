import { Str, OneOf, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { EXAMPLE } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CollectionItemRemovedBody extends WebhookBody {
  @Str() collectionId!: string;
  @ListOf(str()) itemIds!: string[];
  /** Address of the collection's download. */
  @Str() downloadUrl!: string;
  @OneOf(['removedFromCollection']) event = 'removedFromCollection' as const;
}

export const removedFromCollection = webhookEvent({
  name: 'removedFromCollection',
  body: CollectionItemRemovedBody,
  example: { collectionId: EXAMPLE.collectionId, itemIds: [EXAMPLE.itemId], downloadUrl: EXAMPLE.downloadUrl },
  facts: {
    'collection.itemsRemoved': ({ collectionId, itemIds }) => [
      (org, bodies) => bodies.itemsOfCollection(org, collectionId, itemIds),
    ],
    'item.deleted': ({ itemId, collectionIds }) =>
      collectionIds.map((collectionId) => (org, bodies) => bodies.itemsOfCollection(org, collectionId, [itemId])),
  },
  tellsApart: ({ collectionId }) => collectionId,
});

import { Str, OneOf, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CollectionItemRemovedBody extends WebhookBody {
  @Str() collectionId!: string;
  @ListOf(str()) itemIds!: string[];
  @Str() downloadUrl!: string;
  @OneOf(['removedFromCollection']) event = 'removedFromCollection' as const;
}

export const removedFromCollection = webhookEvent({
  name: 'removedFromCollection',
  body: CollectionItemRemovedBody,
  facts: {
    'collection.itemsRemoved': ({ collectionId, itemIds }) => [
      (org, bodies) => bodies.itemsOfCollection(org, collectionId, itemIds),
    ],
    'item.deleted': ({ itemId, collectionIds }) =>
      collectionIds.map((collectionId) => (org, bodies) => bodies.itemsOfCollection(org, collectionId, [itemId])),
  },
  tellsApart: ({ collectionId }) => collectionId,
});

import { list, literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CollectionItemRemovedBody extends WebhookBody {
  @Field(str()) collectionId!: string;
  @Field(list(str())) itemIds!: string[];
  @Field(str()) downloadUrl!: string;
  @Field(literal('removedFromCollection'), { default: 'removedFromCollection' }) event!: 'removedFromCollection';
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

import { list, literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class CollectionItemAddedBody extends WebhookBody {
  @Field(str()) collectionId!: string;
  @Field(list(str())) itemIds!: string[];
  @Field(str()) downloadUrl!: string;
  @Field(literal('addedToCollection'), { default: 'addedToCollection' }) event!: 'addedToCollection';
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

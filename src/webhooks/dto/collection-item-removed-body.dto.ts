import { list, literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CollectionItemRemovedBody {
  @Field(str()) orgId!: string;
  @Field(str()) collectionId!: string;
  @Field(list(str())) itemIds!: string[];
  @Field(str()) downloadUrl!: string;
  @Field(literal('removedFromCollection'), { default: 'removedFromCollection' }) event!: 'removedFromCollection';
}

import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CollectionDeletedBody {
  @Field(str()) orgId!: string;
  @Field(literal('collectionDeleted'), { default: 'collectionDeleted' }) event!: 'collectionDeleted';
  @Field(str()) collectionId!: string;
}

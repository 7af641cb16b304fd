import { list } from '../../common/validation/composites.js';
import { itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class CollectionAddRemove {
  @Field(list(itemId()), { default: [] }) crawlIds!: string[];
  @Field(list(uuid()), { default: [] }) crawlconfigIds!: string[];
}

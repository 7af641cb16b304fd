import { list } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CollectionSearchValuesResponse {
  @Field(list(str())) names!: string[];
}

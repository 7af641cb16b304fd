import { ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class CollectionSearchValuesResponse {
  @ListOf(str()) names!: string[];
}

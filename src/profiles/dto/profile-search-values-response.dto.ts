import { ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class ProfileSearchValuesResponse {
  @ListOf(str()) names!: string[];
}

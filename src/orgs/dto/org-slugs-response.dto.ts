import { ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class OrgSlugsResponse {
  @ListOf(str()) slugs!: string[];
}

import { list } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgSlugsResponse {
  @Field(list(str())) slugs!: string[];
}

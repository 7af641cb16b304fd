import { nullable } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class UpdateOrgNote {
  @Field(nullable(str()), { optional: true }) note?: string | null;
}

import { nullable } from '../../common/validation/composites.js';
import { bool } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class PageReviewUpdate {
  @Field(nullable(bool()), { optional: true }) approved?: boolean | null;
}

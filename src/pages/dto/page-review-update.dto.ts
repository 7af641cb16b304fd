import { Bool } from '../../common/validation/fields.js';

export class PageReviewUpdate {
  @Bool({ nullable: true, optional: true }) approved?: boolean | null;
}

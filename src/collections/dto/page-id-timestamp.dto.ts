import { nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class PageIdTimestamp {
  @Field(uuid()) pageId!: string;
  @Field(nullable(dateTime()), { default: null }) ts!: string | null;
  @Field(int(), { default: 200 }) status!: number;
}

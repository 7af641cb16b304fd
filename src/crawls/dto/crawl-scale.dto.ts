import { nullable } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlScale {
  @Field(nullable(int({ min: 1, max: 4, strict: true })), { optional: true, deprecated: true }) scale?: number | null;
  @Field(nullable(int({ min: 1, max: 8, strict: true })), { optional: true }) browserWindows?: number | null;
}

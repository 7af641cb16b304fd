import { list, nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class UpdateCrawl {
  @Field(nullable(str({ min: 0, max: 1000 })), { optional: true }) name?: string | null;
  @Field(nullable(str({ max: 5000 })), { optional: true }) description?: string | null;
  @Field(nullable(list(str({ min: 1, max: 80 }))), { optional: true }) tags?: string[] | null;
  @Field(nullable(list(uuid())), { default: [] }) collectionIds!: string[] | null;
  @Field(nullable(int({ min: 1, max: 5, strict: true })), { optional: true }) reviewStatus?: number | null;
}

import { mapOf, nullable } from '../../common/validation/composites.js';
import { int, num } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class PageQACompare {
  @Field(nullable(num()), { default: null }) screenshotMatch!: number | null;
  @Field(nullable(num()), { default: null }) textMatch!: number | null;
  @Field(nullable(mapOf(int())), { default: null }) resourceCounts!: Record<string, number> | null;
}

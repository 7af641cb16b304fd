import { Num, MapOf } from '../../common/validation/fields.js';
import { int } from '../../common/validation/scalars.js';

export class PageQACompare {
  @Num({ nullable: true }) screenshotMatch: number | null = null;
  @Num({ nullable: true }) textMatch: number | null = null;
  @MapOf(int(), { nullable: true }) resourceCounts: Record<string, number> | null = null;
}

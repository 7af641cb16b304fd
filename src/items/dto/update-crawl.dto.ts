import { Str, Int, ListOf } from '../../common/validation/fields.js';
import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';

export class UpdateCrawl {
  @Str({ min: 0, max: 1000, nullable: true, optional: true }) name?: string | null;
  @Str({ max: 5000, nullable: true, optional: true }) description?: string | null;
  @ListOf(str({ min: 1, max: 80 }), { nullable: true, optional: true }) tags?: string[] | null;
  @ListOf(uuid(), { nullable: true }) collectionIds: string[] | null = [];
  @Int({ min: 1, max: 5, strict: true, nullable: true, optional: true }) reviewStatus?: number | null;
}

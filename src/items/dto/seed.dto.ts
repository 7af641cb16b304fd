import { enumOf, list, nullable, oneOf } from '../../common/validation/composites.js';
import { httpUrlText } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { SCOPE_TYPES, type ScopeType } from './scope-type.js';
import { Field } from '../../common/validation/model.js';

export class Seed {
  @Field(httpUrlText()) url!: string;
  @Field(nullable(enumOf('ScopeType', SCOPE_TYPES)), { optional: true }) scopeType?: ScopeType | null;
  @Field(nullable(oneOf(str(), list(str()))), { optional: true }) include?: string | string[] | null;
  @Field(nullable(oneOf(str(), list(str()))), { optional: true }) exclude?: string | string[] | null;
  @Field(nullable(oneOf(bool(), httpUrlText())), { optional: true }) sitemap?: boolean | string | null;
  @Field(nullable(bool()), { optional: true }) allowHash?: boolean | null;
  @Field(nullable(int()), { optional: true }) depth?: number | null;
  @Field(nullable(int()), { optional: true }) extraHops?: number | null;
}

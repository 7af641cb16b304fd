import { list } from '../../common/validation/composites.js';
import { Int, Bool, HttpUrlText, Enum, AnyOf } from '../../common/validation/fields.js';
import { httpUrlText } from '../../common/validation/formats.js';
import { str, bool } from '../../common/validation/scalars.js';
import { SCOPE_TYPES, type ScopeType } from './scope-type.js';

export class Seed {
  @HttpUrlText() url!: string;
  @Enum('ScopeType', SCOPE_TYPES, { nullable: true, optional: true }) scopeType?: ScopeType | null;
  @AnyOf([str(), list(str())], { nullable: true, optional: true }) include?: string | string[] | null;
  @AnyOf([str(), list(str())], { nullable: true, optional: true }) exclude?: string | string[] | null;
  @AnyOf([bool(), httpUrlText()], { nullable: true, optional: true }) sitemap?: boolean | string | null;
  @Bool({ nullable: true, optional: true }) allowHash?: boolean | null;
  @Int({ nullable: true, optional: true }) depth?: number | null;
  @Int({ nullable: true, optional: true }) extraHops?: number | null;
}

import { nullable } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class RenameOrg {
  @Field(str({ min: 1, max: 50 })) name!: string;
  @Field(nullable(str()), { optional: true }) slug?: string | null;
}

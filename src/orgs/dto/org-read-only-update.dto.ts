import { nullable } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgReadOnlyUpdate {
  @Field(bool()) readOnly!: boolean;
  @Field(nullable(str()), { optional: true }) readOnlyReason?: string | null;
}

import { bool } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgReadOnlyOnCancel {
  @Field(bool()) readOnlyOnCancel!: boolean;
}

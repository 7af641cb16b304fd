import { Str, Bool } from '../../common/validation/fields.js';

export class OrgReadOnlyUpdate {
  @Bool() readOnly!: boolean;
  @Str({ nullable: true, optional: true }) readOnlyReason?: string | null;
}

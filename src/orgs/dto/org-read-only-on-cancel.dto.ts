import { Bool } from '../../common/validation/fields.js';

export class OrgReadOnlyOnCancel {
  @Bool() readOnlyOnCancel!: boolean;
}

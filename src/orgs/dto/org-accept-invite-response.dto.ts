import { model } from '../../common/validation/composites.js';
import { bool } from '../../common/validation/scalars.js';
import { OrgOut } from './org-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class OrgAcceptInviteResponse {
  @Field(bool()) added!: boolean;
  @Field(model(() => OrgOut)) org!: OrgOut;
}

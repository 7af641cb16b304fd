import { Bool, Nested } from '../../common/validation/fields.js';
import { OrgOut } from './org-out.dto.js';

export class OrgAcceptInviteResponse {
  @Bool() added!: boolean;
  @Nested(() => OrgOut) org!: OrgOut;
}

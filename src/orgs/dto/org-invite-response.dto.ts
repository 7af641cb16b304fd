import { Str, Uuid } from '../../common/validation/fields.js';

export class OrgInviteResponse {
  @Str() invited!: string;
  @Uuid() token!: string;
}

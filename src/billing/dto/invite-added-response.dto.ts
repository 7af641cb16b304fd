import { Str, Bool, Uuid } from '../../common/validation/fields.js';

export class InviteAddedResponse {
  @Bool() added!: boolean;
  @Uuid() id!: string;
  @Str() invited!: string;
  @Uuid() token!: string;
}

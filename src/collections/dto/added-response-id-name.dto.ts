import { Str, Bool, Uuid } from '../../common/validation/fields.js';

export class AddedResponseIdName {
  @Bool() added!: boolean;
  @Uuid() id!: string;
  @Str() name!: string;
}

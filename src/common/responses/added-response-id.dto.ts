import { Bool, Uuid } from '../validation/fields.js';

export class AddedResponseId {
  @Bool() added!: boolean;
  @Uuid() id!: string;
}

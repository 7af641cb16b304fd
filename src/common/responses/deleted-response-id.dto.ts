import { Str, Bool } from '../validation/fields.js';

export class DeletedResponseId {
  @Bool() deleted!: boolean;
  @Str() id!: string;
}

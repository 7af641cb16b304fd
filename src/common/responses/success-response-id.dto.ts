import { Str, Bool } from '../validation/fields.js';

export class SuccessResponseId {
  @Bool() success!: boolean;
  @Str({ nullable: true }) id: string | null = null;
}

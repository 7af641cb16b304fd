import { bool, str } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class DeletedResponseId {
  @Field(bool()) deleted!: boolean;
  @Field(str()) id!: string;
}

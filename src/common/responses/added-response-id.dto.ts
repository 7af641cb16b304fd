import { uuid } from '../validation/formats.js';
import { bool } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class AddedResponseId {
  @Field(bool()) added!: boolean;
  @Field(uuid()) id!: string;
}

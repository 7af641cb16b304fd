import { uuid } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class AddedResponseIdName {
  @Field(bool()) added!: boolean;
  @Field(uuid()) id!: string;
  @Field(str()) name!: string;
}

import { email } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class RemoveFromOrg {
  @Field(email()) email!: string;
}

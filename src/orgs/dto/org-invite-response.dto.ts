import { uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgInviteResponse {
  @Field(str()) invited!: string;
  @Field(uuid()) token!: string;
}

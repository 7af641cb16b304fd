import { bool, int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgDeleteInviteResponse {
  @Field(bool()) removed!: boolean;
  @Field(int()) count!: number;
}

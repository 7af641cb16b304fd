import { Int, Bool } from '../../common/validation/fields.js';

export class OrgDeleteInviteResponse {
  @Bool() removed!: boolean;
  @Int() count!: number;
}

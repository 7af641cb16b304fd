import { Bool, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class ProfilePingResponse {
  @Bool() success!: boolean;
  @ListOf(str()) origins!: string[];
}

import { Bool, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class OrgProxies {
  @Bool() allowSharedProxies!: boolean;
  @ListOf(str()) allowedProxies!: string[];
}

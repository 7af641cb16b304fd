import { Str, Bool, Nested } from '../../common/validation/fields.js';
import { OrgQuotas } from './org-quotas.dto.js';

export class Plan {
  @Str() id!: string;
  @Str() name!: string;
  @Nested(() => OrgQuotas) org_quotas!: OrgQuotas;
  @Bool() testmode = false;
}

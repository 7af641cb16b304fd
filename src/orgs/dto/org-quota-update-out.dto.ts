import { TimeText, Nested } from '../../common/validation/fields.js';
import { OrgQuotas } from './org-quotas.dto.js';

export class OrgQuotaUpdateOut {
  @TimeText() modified!: string;
  @Nested(() => OrgQuotas) update!: OrgQuotas;
}

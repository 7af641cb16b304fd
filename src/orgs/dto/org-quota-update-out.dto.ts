import { model } from '../../common/validation/composites.js';
import { dateTime } from '../../common/validation/formats.js';
import { OrgQuotas } from './org-quotas.dto.js';
import { Field } from '../../common/validation/model.js';

export class OrgQuotaUpdateOut {
  @Field(dateTime()) modified!: string;
  @Field(model(() => OrgQuotas)) update!: OrgQuotas;
}

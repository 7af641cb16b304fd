import { model } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { OrgQuotas } from './org-quotas.dto.js';
import { Field } from '../../common/validation/model.js';

export class Plan {
  @Field(str()) id!: string;
  @Field(str()) name!: string;
  @Field(model(() => OrgQuotas)) org_quotas!: OrgQuotas;
  @Field(bool(), { default: false }) testmode!: boolean;
}

import { literal } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { JobFields } from './job-fields.dto.js';

export class RecalculateOrgStatsJob extends JobFields {
  @Field(literal('recalculate-org-stats'), { default: 'recalculate-org-stats' }) type!: 'recalculate-org-stats';
}

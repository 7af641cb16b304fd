import { literal } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { JobFields } from './job-fields.dto.js';

export class UpdateCollStatsJob extends JobFields {
  @Field(literal('update-coll-stats'), { default: 'update-coll-stats' }) type!: 'update-coll-stats';
  @Field(uuid()) override oid!: string;
  @Field(uuid()) collection_id!: string;
}

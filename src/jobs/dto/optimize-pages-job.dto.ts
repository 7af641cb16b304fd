import { literal } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { JobFields } from './job-fields.dto.js';

export class OptimizePagesJob extends JobFields {
  @Field(literal('optimize-pages'), { default: 'optimize-pages' }) type!: 'optimize-pages';
}

import { literal } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { JobFields } from './job-fields.dto.js';

export class RetryStuckUploadsJob extends JobFields {
  @Field(literal('retry-stuck-uploads'), { default: 'retry-stuck-uploads' }) type!: 'retry-stuck-uploads';
}

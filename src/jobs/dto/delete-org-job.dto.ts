import { literal } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { JobFields } from './job-fields.dto.js';

export class DeleteOrgJob extends JobFields {
  @Field(literal('delete-org'), { default: 'delete-org' }) type!: 'delete-org';
}

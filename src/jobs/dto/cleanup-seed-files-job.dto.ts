import { literal } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { JobFields } from './job-fields.dto.js';

export class CleanupSeedFilesJob extends JobFields {
  @Field(literal('cleanup-seed-files'), { default: 'cleanup-seed-files' }) type!: 'cleanup-seed-files';
}

import { literal } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import { JobFields } from './job-fields.dto.js';

export class PostProcessUploadJob extends JobFields {
  @Field(literal('postprocess-upload'), { default: 'postprocess-upload' }) type!: 'postprocess-upload';
  @Field(uuid()) override oid!: string;
  @Field(str()) crawl_id!: string;
}

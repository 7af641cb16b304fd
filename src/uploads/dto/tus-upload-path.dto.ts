import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class TusUploadPath {
  @Field(uuid()) oid!: string;
  @Field(uuid()) upload_id!: string;
}

import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class UploadDeletedBody {
  @Field(str()) orgId!: string;
  @Field(str()) itemId!: string;
  @Field(literal('uploadDeleted'), { default: 'uploadDeleted' }) event!: 'uploadDeleted';
}

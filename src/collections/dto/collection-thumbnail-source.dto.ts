import { dateTime, uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CollectionThumbnailSource {
  @Field(str()) url!: string;
  @Field(dateTime()) urlTs!: Date;
  @Field(uuid()) urlPageId!: string;
}

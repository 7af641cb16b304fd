import { dateTime, httpUrlText, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class CollectionThumbnailSource {
  @Field(httpUrlText()) url!: string;
  @Field(dateTime()) urlTs!: Date;
  @Field(uuid()) urlPageId!: string;
}

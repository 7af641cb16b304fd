import { Uuid, DateTime, HttpUrlText } from '../../common/validation/fields.js';

export class CollectionThumbnailSource {
  @HttpUrlText() url!: string;
  @DateTime() urlTs!: Date;
  @Uuid() urlPageId!: string;
}

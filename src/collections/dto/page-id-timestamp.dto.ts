import { Int, Uuid, TimeText } from '../../common/validation/fields.js';

export class PageIdTimestamp {
  @Uuid() pageId!: string;
  @TimeText({ nullable: true }) ts: string | null = null;
  @Int() status = 200;
}

import { Str } from '../../common/validation/fields.js';

export class CrawlerChannel {
  @Str() id!: string;
  @Str() image!: string;
  @Str({ nullable: true }) imagePullPolicy: string | null = null;
}

import { Int, Bool } from '../../common/validation/fields.js';

export class CrawlScaleResponse {
  @Bool() scaled!: boolean;
  @Int() browserWindows!: number;
}

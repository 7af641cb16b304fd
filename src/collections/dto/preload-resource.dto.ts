import { Str } from '../../common/validation/fields.js';

export class PreloadResource {
  @Str() name!: string;
  @Str() crawlId!: string;
}

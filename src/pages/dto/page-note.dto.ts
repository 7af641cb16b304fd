import { Str, Uuid, TimeText } from '../../common/validation/fields.js';

export class PageNote {
  @Uuid() id!: string;
  @Str({ max: 5000 }) text!: string;
  @TimeText() created!: string;
  @Uuid() userid!: string;
  @Str() userName!: string;
}

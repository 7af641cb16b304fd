import { Str } from '../../common/validation/fields.js';

export class BrowserId {
  @Str() browserid!: string;
}

import { HttpUrlText } from '../../common/validation/fields.js';

export class UrlIn {
  @HttpUrlText() url!: string;
}

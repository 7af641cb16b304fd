import { Str, Bool } from '../../common/validation/fields.js';

export class CrawlConfigDeletedResponse {
  @Bool() success!: boolean;
  @Str() status!: string;
}

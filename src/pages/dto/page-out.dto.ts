import { Int } from '../../common/validation/fields.js';
import { SharedPageOut } from './shared-page-out.dto.js';

export class PageOut extends SharedPageOut {
  /** HTTP status; 200 where the crawl noted none. */
  @Int() status = 200;
}

import { ListOf } from '../../common/validation/fields.js';
import { PageOut } from './page-out.dto.js';

export class PageOutItemsResponse {
  @ListOf(() => PageOut) items!: PageOut[];
}

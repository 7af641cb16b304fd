import { Int, ListOf } from '../../common/validation/fields.js';
import { PageOut } from './page-out.dto.js';

export class PaginatedPageOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => PageOut) items!: PageOut[];
}

import { Int, ListOf } from '../../common/validation/fields.js';
import { CollOut } from './coll-out.dto.js';

export class PaginatedCollOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => CollOut) items!: CollOut[];
}

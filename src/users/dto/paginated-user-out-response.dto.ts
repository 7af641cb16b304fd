import { Int, ListOf } from '../../common/validation/fields.js';
import { UserOutNoId } from './user-out-no-id.dto.js';

export class PaginatedUserOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => UserOutNoId) items!: UserOutNoId[];
}

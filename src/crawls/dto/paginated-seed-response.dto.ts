import { Int, ListOf } from '../../common/validation/fields.js';
import { Seed } from '../../items/dto/seed.dto.js';

export class PaginatedSeedResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => Seed) items!: Seed[];
}

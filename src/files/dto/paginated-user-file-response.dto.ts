import { Int, ListOf } from '../../common/validation/fields.js';
import { SeedFileOut } from './seed-file-out.dto.js';

export class PaginatedUserFileResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => SeedFileOut) items!: SeedFileOut[];
}

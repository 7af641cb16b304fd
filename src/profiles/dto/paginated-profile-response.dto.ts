import { Int, ListOf } from '../../common/validation/fields.js';
import { Profile } from './profile.dto.js';

export class PaginatedProfileResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => Profile) items!: Profile[];
}

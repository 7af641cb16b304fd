import { Int, ListOf } from '../../common/validation/fields.js';
import { ConfigRevision } from './config-revision.dto.js';

export class PaginatedConfigRevisionResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => ConfigRevision) items!: ConfigRevision[];
}

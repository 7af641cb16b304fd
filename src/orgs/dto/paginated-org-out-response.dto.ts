import { Int, ListOf } from '../../common/validation/fields.js';
import { OrgOut } from './org-out.dto.js';

export class PaginatedOrgOutResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => OrgOut) items!: OrgOut[];
}

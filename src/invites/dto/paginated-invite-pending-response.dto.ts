import { Int, ListOf } from '../../common/validation/fields.js';
import { InviteOut } from './invite-out.dto.js';

export class PaginatedInvitePendingResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => InviteOut) items!: InviteOut[];
}

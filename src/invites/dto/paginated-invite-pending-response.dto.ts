import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { InviteOut } from './invite-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedInvitePendingResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => InviteOut))) items!: InviteOut[];
}

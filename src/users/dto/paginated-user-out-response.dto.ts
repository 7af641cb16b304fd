import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { UserOutNoId } from './user-out-no-id.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedUserOutResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => UserOutNoId))) items!: UserOutNoId[];
}

import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { Profile } from './profile.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedProfileResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => Profile))) items!: Profile[];
}

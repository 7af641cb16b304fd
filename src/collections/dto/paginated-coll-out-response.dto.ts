import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { CollOut } from './coll-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedCollOutResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => CollOut))) items!: CollOut[];
}

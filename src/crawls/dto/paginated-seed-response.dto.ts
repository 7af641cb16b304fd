import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { Seed } from '../../items/dto/seed.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedSeedResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => Seed))) items!: Seed[];
}

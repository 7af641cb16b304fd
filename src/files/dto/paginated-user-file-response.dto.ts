import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { SeedFileOut } from './seed-file-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedUserFileResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => SeedFileOut))) items!: SeedFileOut[];
}

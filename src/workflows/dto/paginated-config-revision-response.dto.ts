import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { ConfigRevision } from './config-revision.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedConfigRevisionResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => ConfigRevision))) items!: ConfigRevision[];
}

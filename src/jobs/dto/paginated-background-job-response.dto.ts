import { list } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { int } from '../../common/validation/scalars.js';
import { anyJob } from './any-background-job.dto.js';
import type { BackgroundJob } from './background-job.dto.js';

export class PaginatedBackgroundJobResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(anyJob())) items!: BackgroundJob[];
}

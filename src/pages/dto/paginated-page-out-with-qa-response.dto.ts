import { list, model } from '../../common/validation/composites.js';
import { int } from '../../common/validation/scalars.js';
import { PageOutWithSingleQA } from './page-out-with-single-qa.dto.js';
import { Field } from '../../common/validation/model.js';

export class PaginatedPageOutWithQAResponse {
  @Field(int()) total!: number;
  @Field(int()) page!: number;
  @Field(int()) pageSize!: number;
  @Field(list(model(() => PageOutWithSingleQA))) items!: PageOutWithSingleQA[];
}

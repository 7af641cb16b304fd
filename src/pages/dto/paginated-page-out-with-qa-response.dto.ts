import { Int, ListOf } from '../../common/validation/fields.js';
import { PageOutWithSingleQA } from './page-out-with-single-qa.dto.js';

export class PaginatedPageOutWithQAResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => PageOutWithSingleQA) items!: PageOutWithSingleQA[];
}

import { list, model } from '../../common/validation/composites.js';
import { PageOut } from './page-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class PageOutItemsResponse {
  @Field(list(model(() => PageOut))) items!: PageOut[];
}

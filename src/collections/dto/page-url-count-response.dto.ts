import { list, model } from '../../common/validation/composites.js';
import { PageUrlCount } from './page-url-count.dto.js';
import { Field } from '../../common/validation/model.js';

export class PageUrlCountResponse {
  @Field(list(model(() => PageUrlCount))) items!: PageUrlCount[];
}

import { ListOf } from '../../common/validation/fields.js';
import { PageUrlCount } from './page-url-count.dto.js';

export class PageUrlCountResponse {
  @ListOf(() => PageUrlCount) items!: PageUrlCount[];
}

import { ListOf } from '../../common/validation/fields.js';
import { TagCount } from './tag-count.dto.js';

export class TagsResponse {
  @ListOf(() => TagCount) tags!: TagCount[];
}

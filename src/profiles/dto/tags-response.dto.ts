import { list, model } from '../../common/validation/composites.js';
import { TagCount } from './tag-count.dto.js';
import { Field } from '../../common/validation/model.js';

export class TagsResponse {
  @Field(list(model(() => TagCount))) tags!: TagCount[];
}

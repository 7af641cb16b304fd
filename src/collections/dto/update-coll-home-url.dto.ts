import { nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class UpdateCollHomeUrl {
  @Field(nullable(uuid()), { optional: true }) pageId?: string | null;
}

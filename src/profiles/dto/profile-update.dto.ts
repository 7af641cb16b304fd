import { list, nullable } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class ProfileUpdate {
  @Field(str(), { default: '' }) browserid!: string;
  @Field(str({ min: 1, max: 1000 })) name!: string;
  @Field(nullable(str({ max: 5000 })), { default: '' }) description!: string | null;
  @Field(nullable(list(str({ min: 1, max: 80 }))), { default: [] }) tags!: string[] | null;
}

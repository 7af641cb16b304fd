import { nullable } from '../validation/composites.js';
import { bool, str } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

export class SuccessResponseId {
  @Field(bool()) success!: boolean;
  @Field(nullable(str()), { default: null }) id!: string | null;
}

import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class FeatureFlagStats {
  @Field(str()) name!: string;
  @Field(str()) description!: string;
  @Field(int()) count!: number;
}

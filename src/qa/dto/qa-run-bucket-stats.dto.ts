import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class QARunBucketStats {
  @Field(str()) lowerBoundary!: string;
  @Field(int()) count!: number;
}

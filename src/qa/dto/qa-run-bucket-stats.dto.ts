import { Str, Int } from '../../common/validation/fields.js';

export class QARunBucketStats {
  @Str() lowerBoundary!: string;
  @Int() count!: number;
}

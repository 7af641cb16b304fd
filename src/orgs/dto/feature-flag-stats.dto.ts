import { Str, Int } from '../../common/validation/fields.js';

export class FeatureFlagStats {
  @Str() name!: string;
  @Str() description!: string;
  @Int() count!: number;
}

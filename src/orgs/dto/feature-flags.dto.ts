import { bool } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class FeatureFlags {
  @Field(bool(), { default: false }) dedupeEnabled!: boolean;
}

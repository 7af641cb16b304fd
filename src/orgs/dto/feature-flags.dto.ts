import { Bool } from '../../common/validation/fields.js';

export class FeatureFlags {
  @Bool() dedupeEnabled = false;
}

import { Bool } from '../../common/validation/fields.js';

export class FeatureFlagsPartial {
  @Bool({ nullable: true, optional: true }) dedupeEnabled?: boolean | null;
}

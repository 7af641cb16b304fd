import { Str, Num } from '../../common/validation/fields.js';

export class AddonMinutesPricing {
  @Num() value!: number;
  @Str() currency!: string;
}

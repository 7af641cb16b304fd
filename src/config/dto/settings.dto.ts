import { Str, Int, Bool, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class SettingsResponse {
  @Bool() registrationEnabled!: boolean;
  @Int() jwtTokenLifetime!: number;
  @Int() defaultBehaviorTimeSeconds!: number;
  @Int() defaultPageLoadTimeSeconds!: number;
  @Int() maxPagesPerCrawl!: number;
  @Int() numBrowsersPerInstance!: number;
  @Int() maxBrowserWindows!: number;
  @Bool() billingEnabled!: boolean;
  @Str() signUpUrl = '';
  @Str() salesEmail = '';
  @Str() supportEmail = '';
  @ListOf(str(), { nullable: true }) localesEnabled!: string[] | null;
  @Int() pausedExpiryMinutes!: number;
  @Int() rateLimitDurationMinutes!: number;
}

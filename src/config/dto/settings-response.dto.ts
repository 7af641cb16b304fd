import { list, nullable } from '../../common/validation/composites.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class SettingsResponse {
  @Field(bool()) registrationEnabled!: boolean;
  @Field(int()) jwtTokenLifetime!: number;
  @Field(int()) defaultBehaviorTimeSeconds!: number;
  @Field(int()) defaultPageLoadTimeSeconds!: number;
  @Field(int()) maxPagesPerCrawl!: number;
  @Field(int()) numBrowsersPerInstance!: number;
  @Field(int()) maxBrowserWindows!: number;
  @Field(bool()) billingEnabled!: boolean;
  @Field(str(), { default: '' }) signUpUrl!: string;
  @Field(str(), { default: '' }) salesEmail!: string;
  @Field(str(), { default: '' }) supportEmail!: string;
  @Field(nullable(list(str()))) localesEnabled!: string[] | null;
  @Field(int()) pausedExpiryMinutes!: number;
  @Field(int()) rateLimitDurationMinutes!: number;
}

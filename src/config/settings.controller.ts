import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { AppConfig } from './app-config.js';
import { SettingsResponse } from './dto/settings.dto.js';

/** What clients need to know before anyone logs in. Contract: accounts §14; exactly these fields. */
export const toSettings = ({ accounts, auth, billing, crawls, mail }: AppConfig): SettingsResponse => ({
  registrationEnabled: accounts.registrationEnabled,
  jwtTokenLifetime: auth.tokenLifetimeMinutes,
  defaultBehaviorTimeSeconds: crawls.defaultBehaviorSeconds,
  defaultPageLoadTimeSeconds: crawls.defaultPageLoadSeconds,
  maxPagesPerCrawl: crawls.maxPagesPerCrawl,
  numBrowsersPerInstance: crawls.windowsPerInstance,
  maxBrowserWindows: crawls.maxBrowserWindows,
  billingEnabled: billing.enabled,
  signUpUrl: accounts.signUpUrl,
  salesEmail: accounts.salesEmail,
  supportEmail: mail.support,
  localesEnabled: accounts.locales && [...accounts.locales],
  pausedExpiryMinutes: crawls.pausedLimitMinutes,
  rateLimitDurationMinutes: crawls.rateLimitMinutes,
});

@ApiTags('settings')
@Controller('settings')
export class SettingsController {
  private readonly settings: SettingsResponse;

  constructor(config: AppConfig) {
    this.settings = toSettings(config);
  }

  /** Returns what clients need to know of the deployment. */
  @Get()
  @Public()
  @Returns(SettingsResponse)
  getSettings(): SettingsResponse {
    return this.settings;
  }
}

import { Str, Int, Bool, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class SettingsResponse {
  /** Whether everybody may register. */
  @Bool() registrationEnabled!: boolean;
  /** Minutes that a log-in lasts. */
  @Int() jwtTokenLifetime!: number;
  /** Seconds for behaviors on a page, where a workflow says nothing. */
  @Int() defaultBehaviorTimeSeconds!: number;
  /** Seconds for a page to load, where a workflow says nothing. */
  @Int() defaultPageLoadTimeSeconds!: number;
  @Int() maxPagesPerCrawl!: number;
  /** Browser windows of one crawler instance. */
  @Int() numBrowsersPerInstance!: number;
  /** Most browser windows of a crawl. */
  @Int() maxBrowserWindows!: number;
  /** Whether the deployment has billing. */
  @Bool() billingEnabled!: boolean;
  /** Where to sign up, if not here; else empty. */
  @Str() signUpUrl = '';
  /** Address to ask for an offer; empty: none. */
  @Str() salesEmail = '';
  /** Address to ask for help; empty: none. */
  @Str() supportEmail = '';
  /** Languages that the web client offers; null: all of its own. */
  @ListOf(str(), { nullable: true }) localesEnabled!: string[] | null;
  /** Minutes after which a paused crawl ends. */
  @Int() pausedExpiryMinutes!: number;
  /** Minutes that a crawl waits for a site that limits it. */
  @Int() rateLimitDurationMinutes!: number;
}

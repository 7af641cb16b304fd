import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { mailTime } from '../mail/mail-time.js';
import { Mails } from '../mail/mails.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgOwners } from '../orgs/org-owners.js';
import type { SubscriptionTrialEndReminder } from './dto/subscription-trial-end-reminder.dto.js';

/** What owners are told about their subscription; in the background. Contract: accounts §13.1. */
@Injectable()
export class SubscriptionMails {
  constructor(
    private readonly mails: Mails,
    private readonly owners: OrgOwners,
    private readonly config: AppConfig,
  ) {}

  async cancelled(org: Org, date: Date | null): Promise<void> {
    if (!date) return;
    for (const { email, name } of await this.owners.of(org))
      this.mails.send('subscriptionCancel', email, {
        org_url: this.orgUrl(org),
        user_name: name,
        org_name: org.name,
        cancel_date: mailTime(date),
        survey_url: this.config.mail.surveyUrl,
        ...this.mails.support,
      });
  }

  /** @returns how many owners are told */
  async trialEnding(
    org: Org,
    date: Date,
    behavior: SubscriptionTrialEndReminder['behavior_on_trial_end'],
  ): Promise<number> {
    const owners = await this.owners.of(org);
    for (const { email, name } of owners)
      this.mails.send('trialEndingSoon', email, {
        user_name: name,
        org_name: org.name,
        org_url: this.orgUrl(org),
        trial_end_date: mailTime(date),
        behavior_on_trial_end: behavior,
        ...this.mails.support,
      });
    return owners.length;
  }

  private orgUrl(org: Org): string {
    return `${this.config.http.appOrigin}/orgs/${org.slug}/`;
  }
}

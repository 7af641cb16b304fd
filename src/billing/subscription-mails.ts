import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { mailTime } from '../mail/mail-time.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OwnerMails } from '../orgs/owner-mails.js';
import type { SubscriptionTrialEndReminder } from './dto/subscriptions.dto.js';

/** Mails to owners about their subscription, sent in the background. Contract: accounts §13.1. */
@Injectable()
export class SubscriptionMails {
  constructor(
    private readonly mails: OwnerMails,
    private readonly config: AppConfig,
  ) {}

  async cancelled(org: Org, date: Date | null): Promise<void> {
    if (!date) return;
    await this.mails.send('subscriptionCancel', org, {
      org_url: this.orgUrl(org),
      cancel_date: mailTime(date),
      survey_url: this.config.mail.surveyUrl,
    });
  }

  /** @returns how many owners get the mail */
  trialEnding(org: Org, date: Date, behavior: SubscriptionTrialEndReminder['behavior_on_trial_end']): Promise<number> {
    return this.mails.send('trialEndingSoon', org, {
      org_url: this.orgUrl(org),
      trial_end_date: mailTime(date),
      behavior_on_trial_end: behavior,
    });
  }

  private orgUrl(org: Org): string {
    return `${this.mails.orgUrl(org)}/`;
  }
}

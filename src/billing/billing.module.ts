import { Module } from '@nestjs/common';
import { BillingClient } from './billing-client.js';
import { BillingDataModule } from './data/billing-data.module.js';
import { NewSubscriptions } from './new-subscriptions.js';
import { OrgBillingController } from './org-billing.controller.js';
import { OrgBilling } from './org-billing.service.js';
import { SubscriptionChanges } from './subscription-changes.js';
import { SubscriptionMails } from './subscription-mails.js';
import { SubscriptionQueries } from './subscription-queries.js';
import { SubscriptionsController } from './subscriptions.controller.js';

/** Registered only when billing is enabled: otherwise none of its routes exists. */
@Module({
  imports: [BillingDataModule],
  controllers: [SubscriptionsController, OrgBillingController],
  providers: [BillingClient, NewSubscriptions, SubscriptionChanges, SubscriptionQueries, SubscriptionMails, OrgBilling],
})
export class BillingModule {}

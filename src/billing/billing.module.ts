import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { MailModule } from '../mail/mail.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { BillingClient } from './billing-client.js';
import { modelsOf } from '../database/data-module.js';
import { SubscriptionEventSchema } from './data/subscription-event.schema.js';
import { SubscriptionEventsRepository } from './data/subscription-events.repository.js';
import { NewSubscriptions } from './new-subscriptions.js';
import { OrgBillingController } from './org-billing.controller.js';
import { OrgBilling } from './org-billing.service.js';
import { SubscriptionChanges } from './subscription-changes.js';
import { SubscriptionMails } from './subscription-mails.js';
import { SubscriptionQueries } from './subscription-queries.js';
import { SubscriptionsController } from './subscriptions.controller.js';

/** This module is registered only when billing is enabled; otherwise none of its routes exists. */
@Module({
  imports: [modelsOf({ SubscriptionEvent: SubscriptionEventSchema }), JobsModule, MailModule, OrgsModule],
  controllers: [SubscriptionsController, OrgBillingController],
  providers: [
    SubscriptionEventsRepository,
    BillingClient,
    NewSubscriptions,
    SubscriptionChanges,
    SubscriptionQueries,
    SubscriptionMails,
    OrgBilling,
  ],
})
export class BillingModule {}

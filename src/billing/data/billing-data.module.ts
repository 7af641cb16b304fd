import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscriptionEvent, SubscriptionEventSchema } from './subscription-event.schema.js';
import { SubscriptionEventsRepository } from './subscription-events.repository.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: SubscriptionEvent.name, schema: SubscriptionEventSchema }])],
  providers: [SubscriptionEventsRepository],
  exports: [SubscriptionEventsRepository],
})
export class BillingDataModule {}

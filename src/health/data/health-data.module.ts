import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Item, ItemSchema } from '../../items/data/item.schema.js';
import { Job, JobSchema } from '../../jobs/data/job.schema.js';
import { Notification, NotificationSchema } from '../../webhooks/data/notification.schema.js';
import { MetricsQueries } from './metrics.queries.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Item.name, schema: ItemSchema },
      { name: Job.name, schema: JobSchema },
      { name: Notification.name, schema: NotificationSchema },
    ]),
  ],
  providers: [MetricsQueries],
  exports: [MetricsQueries],
})
export class HealthDataModule {}

import { Module } from '@nestjs/common';
import { DriversModule } from '../drivers/drivers.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { modelsOf } from '../database/data-module.js';
import { ItemSchema } from '../items/data/item.schema.js';
import { JobSchema } from '../jobs/data/job.schema.js';
import { NotificationSchema } from '../webhooks/data/notification.schema.js';
import { MetricsQueries } from './data/metrics.queries.js';
import { HealthController } from './health.controller.js';
import { Draining } from './draining.js';
import { Metrics } from './metrics.js';

@Module({
  imports: [
    StorageModule,
    DriversModule,
    modelsOf({ Item: ItemSchema, Job: JobSchema, Notification: NotificationSchema }),
  ],
  controllers: [HealthController],
  providers: [MetricsQueries, Draining, Metrics],
})
export class HealthModule {}

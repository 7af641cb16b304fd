import { Module } from '@nestjs/common';
import { DriversModule } from '../drivers/drivers.module.js';
import { MailModule } from '../mail/mail.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { modelsOf } from '../database/data-module.js';
import { ItemSchema } from '../items/data/item.schema.js';
import { JobSchema } from '../jobs/data/job.schema.js';
import { NotificationSchema } from '../webhooks/data/notification.schema.js';
import { DatabaseStateQueries } from './data/database-state.queries.js';
import { MetricsQueries } from './data/metrics.queries.js';
import { HealthController } from './health.controller.js';
import { Draining } from './draining.js';
import { Metrics } from './metrics.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

@Module({
  imports: [
    StorageModule,
    DriversModule,
    MailModule,
    modelsOf({ Item: ItemSchema, Job: JobSchema, Notification: NotificationSchema }),
  ],
  controllers: [HealthController, SystemController],
  providers: [DatabaseStateQueries, MetricsQueries, Draining, Metrics, SystemService],
})
export class HealthModule {}

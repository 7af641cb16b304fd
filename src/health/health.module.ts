import { Module } from '@nestjs/common';
import { BackupDataModule } from '../backup/data/backup-data.module.js';
import { DriversModule } from '../drivers/drivers.module.js';
import { MailModule } from '../mail/mail.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { modelsOf } from '../database/data-module.js';
import { ItemSchema } from '../items/data/item.schema.js';
import { JobSchema } from '../jobs/data/job.schema.js';
import { OrgSchema } from '../orgs/data/org.schema.js';
import { NotificationSchema } from '../webhooks/data/notification.schema.js';
import { DatabasePoolReads } from './data/database-pool.reads.js';
import { DatabaseStateQueries } from './data/database-state.queries.js';
import { MetricsQueries } from './data/metrics.queries.js';
import { Gauges } from './gauges.js';
import { HealthController } from './health.controller.js';
import { Draining } from './draining.js';
import { Metrics } from './metrics.js';
import { OutcomeListeners } from './outcome-listeners.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

@Module({
  imports: [
    BackupDataModule,
    StorageModule,
    DriversModule,
    MailModule,
    modelsOf({ Item: ItemSchema, Job: JobSchema, Notification: NotificationSchema, Org: OrgSchema }),
  ],
  controllers: [HealthController, SystemController],
  providers: [
    DatabasePoolReads,
    DatabaseStateQueries,
    Draining,
    Gauges,
    Metrics,
    MetricsQueries,
    OutcomeListeners,
    SystemService,
  ],
})
export class HealthModule {}

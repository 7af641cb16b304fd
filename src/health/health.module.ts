import { Module } from '@nestjs/common';
import { DriversModule } from '../drivers/drivers.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { HealthDataModule } from './data/health-data.module.js';
import { HealthController } from './health.controller.js';
import { Draining } from './draining.js';
import { Metrics } from './metrics.js';

/** Probes and metrics of the process. */
@Module({
  imports: [StorageModule, DriversModule, HealthDataModule],
  controllers: [HealthController],
  providers: [Draining, Metrics],
})
export class HealthModule {}

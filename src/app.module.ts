import { Module, type DynamicModule, type ModuleMetadata } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BackupModule } from './backup/backup.module.js';
import { BillingModule } from './billing/billing.module.js';
import type { Clock } from './common/clock/clock.js';
import { CollectionsModule } from './collections/collections.module.js';
import { CommonModule } from './common/common.module.js';
import type { AppConfig } from './config/app-config.js';
import { ConfigModule } from './config/config.module.js';
import { LinksModule } from './links/links.module.js';
import { DatabaseModule } from './database/database.module.js';
import { DriversModule } from './drivers/drivers.module.js';
import { EventsModule } from './events/events.module.js';
import { MailModule } from './mail/mail.module.js';
import { CustomStoragesModule } from './orgs/storages/custom-storages.module.js';
import { OrgsModule } from './orgs/orgs.module.js';
import { UsersModule } from './users/users.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { CrawlsModule } from './crawls/crawls.module.js';
import { ExchangeModule } from './exchange/exchange.module.js';
import { FilesModule } from './files/files.module.js';
import { ProfilesModule } from './profiles/profiles.module.js';
import { WorkflowsModule } from './workflows/workflows.module.js';
import { QaModule } from './qa/qa.module.js';
import { CustodyModule } from './custody/custody.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LiveModule } from './live/live.module.js';
import { HealthModule } from './health/health.module.js';
import { InvariantsModule } from './invariants/invariants.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { SigningModule } from './signing/signing.module.js';
import { StorageModule } from './storage/storage.module.js';
import { PagesModule } from './pages/pages.module.js';
import { UploadsModule } from './uploads/uploads.module.js';

export interface AppOptions {
  /** False in tests that drive the workers by hand. */
  readonly schedules?: boolean;
  /** True for commands that only look: the start-up steps, which write, are left out. */
  readonly lookOnly?: boolean;
  /** The clock of a test; the system's otherwise. */
  readonly clock?: Clock;
  /** Further modules, e.g. the controls of a fake. */
  readonly overrides?: NonNullable<ModuleMetadata['imports']>;
}

/** Imports every room; no other file does. */
@Module({})
export class AppModule {
  static with(config: AppConfig, { schedules = true, overrides = [], clock }: AppOptions = {}): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ScheduleModule.forRoot({ intervals: schedules, cronJobs: schedules, timeouts: schedules }),
        ConfigModule.with(config),
        CommonModule.with(clock),
        LinksModule,
        DatabaseModule,
        EventsModule,
        AuditModule,
        MailModule,
        JobsModule,
        UsersModule,
        OrgsModule,
        AuthModule,
        SignInModule,
        ...(config.billing.enabled ? [BillingModule] : []),
        ...(config.storage.customEnabled ? [CustomStoragesModule] : []),
        StorageModule,
        SigningModule,
        DriversModule,
        CrawlsModule,
        PagesModule,
        UploadsModule,
        CollectionsModule,
        ExchangeModule,
        FilesModule,
        ProfilesModule,
        WorkflowsModule,
        QaModule,
        CustodyModule,
        WebhooksModule,
        LedgerModule,
        LiveModule,
        HealthModule,
        InvariantsModule,
        BackupModule,
        ...overrides,
      ],
    };
  }
}

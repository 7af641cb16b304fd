import { Module } from '@nestjs/common';
import { AccessKeysDataModule } from '../access-keys/data/access-keys-data.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { SigningModule } from '../signing/signing.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { UsersDataModule } from '../users/data/users-data.module.js';
import { AllAuditController, OrgAuditController } from './audit.controllers.js';
import { AuditDays } from './audit-days.js';
import { AuditDataModule } from '../audit/data/audit-data.module.js';
import { AuditSending } from './sending/audit-sending.js';
import { LineSenders } from './sending/line-senders.js';
import { AuditLists } from './audit-lists.js';
import { AuditNames } from './audit-names.js';
import { AuditRetention } from './audit-retention.js';
import { Checkpoints } from './checkpoints.js';
import { LedgerDataModule } from './data/ledger-data.module.js';
import { DayClosing } from './day-closing.js';
import { RetentionTime } from './retention-time.js';

/** The audit log as it is read, closed day by day, cut and sent on. `audit/` writes it. */
@Module({
  imports: [
    AccessKeysDataModule,
    AuditDataModule,
    LedgerDataModule,
    ObjectsModule,
    SigningModule,
    StorageModule,
    UsersDataModule,
  ],
  controllers: [AllAuditController, OrgAuditController],
  providers: [
    AuditDays,
    AuditLists,
    AuditNames,
    AuditRetention,
    AuditSending,
    Checkpoints,
    DayClosing,
    LineSenders,
    RetentionTime,
  ],
  exports: [Checkpoints, LedgerDataModule],
})
export class LedgerModule {}

import { AuditEvent, AuditEventSchema } from '../../audit/data/audit-event.schema.js';
import { DataModule } from '../../database/data-module.js';
import { ownsFiles } from '../../objects/data/file-owners.js';
import { ObjectsDataModule } from '../../objects/data/objects-data.module.js';
import { AUDIT_FILES_BEING_WRITTEN, AuditChain, AuditChainSchema } from './audit-chain.schema.js';
import { AuditChainsRepository } from './audit-chains.repository.js';
import { AUDIT_DAY_FILES, AuditDay, AuditDaySchema } from './audit-day.schema.js';
import { AuditDaysRepository } from './audit-days.repository.js';
import { AuditOutboxRepository } from './audit-outbox.repository.js';
import { AuditReceiver, AuditReceiverSchema } from './audit-receiver.schema.js';
import { AuditLinesRepository } from './audit-lines.repository.js';
import { AuditListQueries } from './audit-list.queries.js';

@DataModule({
  imports: [ObjectsDataModule],
  models: {
    [AuditEvent.name]: AuditEventSchema,
    AuditDay: AuditDaySchema,
    AuditChain: AuditChainSchema,
    [AuditReceiver.name]: AuditReceiverSchema,
  },
  providers: [
    AuditChainsRepository,
    AuditDaysRepository,
    AuditLinesRepository,
    AuditListQueries,
    AuditOutboxRepository,
    ownsFiles(AuditDay, AUDIT_DAY_FILES),
    ownsFiles(AuditChain, AUDIT_FILES_BEING_WRITTEN),
  ],
})
export class LedgerDataModule {}

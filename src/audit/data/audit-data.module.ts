import { DataModule } from '../../database/data-module.js';
import { AuditEventSchema } from './audit-event.schema.js';
import { AuditEventsRepository } from './audit-events.repository.js';

@DataModule({ models: { AuditEvent: AuditEventSchema }, providers: [AuditEventsRepository] })
export class AuditDataModule {}

import { Global, Module } from '@nestjs/common';
import { AuditDataModule } from './data/audit-data.module.js';

/** The audit log: who did what, on what, from where, and how it went. */
@Global()
@Module({ imports: [AuditDataModule] })
export class AuditModule {}

import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AuditInterceptor } from './audit.interceptor.js';
import { AuditTrail } from './audit-trail.js';
import { AuditDataModule } from './data/audit-data.module.js';
import { Settling } from './settling.js';

/** The audit log: who did what, on what, from where, and how it went. */
@Global()
@Module({
  imports: [AuditDataModule],
  providers: [Settling, AuditTrail, { provide: APP_INTERCEPTOR, useClass: AuditInterceptor }],
  exports: [AuditTrail],
})
export class AuditModule {}

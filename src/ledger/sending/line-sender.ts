import type { AuditLine } from '../rules/audit-line.js';

/** A receiver of the audit log that settings name. */
export interface LineSender {
  /** By it, the database knows what the receiver has. */
  readonly name: 'syslog' | 'webhook';
  /** Sends lines in their order. @throws when the receiver has not got all of them, as far as can be told */
  send(lines: readonly AuditLine[], signal: AbortSignal): Promise<void>;
}

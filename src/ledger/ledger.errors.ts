import { notFound } from '../common/errors/domain-error.js';

/** The day is not closed, was cut, or had no entries. */
export class AuditDayNotFound extends notFound('audit_day_not_found') {}

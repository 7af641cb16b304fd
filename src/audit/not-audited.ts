import { SetMetadata } from '@nestjs/common';

export const NOT_AUDITED = Symbol('not audited');

/**
 * Keeps the interceptor from writing a line of the audit log for a handler that changes something.
 * @param why a few words: it changes nothing that anybody would look for, or its service tells of it (`AuditTrail.record`)
 */
export const NotAudited = (why: string) => SetMetadata(NOT_AUDITED, why);

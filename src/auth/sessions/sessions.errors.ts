import { notFound } from '../../common/errors/domain-error.js';

/** The caller has no such session, or it has ended already. */
export class SessionNotFound extends notFound('session_not_found') {}

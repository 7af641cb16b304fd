import { Logger, type ExecutionContext } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import { statusOf } from '../errors/status-of.js';
import { clientOf } from '../http/request-address.js';
import { operationName } from '../openapi/operation-names.js';
import type { AuthedRequest } from './access.js';
import type { CallerAndOrg } from './resolvers.js';
import { tokenOf } from './token.js';

/** Not known, may not, or sees no such org: what somebody is answered who is not let in. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404]);
const logger = new Logger('access');

/**
 * Logs that a caller was not let in, who showed a token or key. Who shows nothing has tried nothing: every browser asks so
 * before the log-in. The token is no part of the line. OWASP ASVS 5.0, 16.3.2.
 */
export function logRefusal(error: unknown, context: ExecutionContext): void {
  const request = context.switchToHttp().getRequest<AuthedRequest & { user?: CallerAndOrg }>();
  const status = statusOf(error);
  if (!(error instanceof DomainError) || !REFUSALS.has(status) || tokenOf(request) === null) return;
  const { id = null, key } = request.user?.principal ?? {};
  const action = operationName(context.getClass().name, context.getHandler().name);
  const { detail } = error;
  logger.warn({
    event: 'access_refused',
    status,
    detail,
    action,
    actor: id,
    key: key?.id ?? null,
    client: clientOf(request),
  });
}

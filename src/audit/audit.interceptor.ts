import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { oidOf, type AuthedRequest } from '../common/access/access.js';
import { statusOf } from '../common/errors/status-of.js';
import { currentRequest, type RequestScope } from '../common/http/request-scope.js';
import { operationName } from '../common/openapi/operation-names.js';
import { declaredFields } from '../common/validation/declared-fields.js';
import { inputModels } from '../common/validation/input-issues.interceptor.js';
import { AuditTrail } from './audit-trail.js';
import type { NewAuditEntry } from './data/audit-events.repository.js';
import type { AuditOutcome } from './data/audit-event.schema.js';
import { NOT_AUDITED } from './not-audited.js';
import { actorOf } from './rules/actors.js';
import { idIn, targetOf } from './rules/targets.js';

const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
/** Most names of fields in an entry; no body of the API declares as many at its top level. */
const MOST_FIELDS = 50;

/** What the log knows of a handler. */
interface Operation {
  readonly action: string;
  /** Fields that its body may have at the top level. Names that a client thinks up go into no log. */
  readonly fields: ReadonlySet<string>;
}

type Handler = (...args: never[]) => unknown;

/** The outcome that an answer tells. */
function outcomeOf(status: number): Exclude<AuditOutcome, 'begun' | 'unknown'> {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'done';
}

/** Writes an entry before each handler that changes something, and settles it after. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  /** By controller and handler: several controllers inherit the handlers of one. */
  private readonly known = new WeakMap<Type, Map<Handler, Operation | null>>();

  constructor(private readonly trail: AuditTrail) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthedRequest>();
    const scope = currentRequest();
    if (!scope || !CHANGING.has(request.method)) return next.handle();
    const operation = this.operationOf(context.getClass(), context.getHandler() as Handler);
    if (!operation) return next.handle();
    return defer(() => this.audited(scope, entryOf(operation, request, scope), { next, response: http.getResponse() }));
  }

  private async audited(
    scope: RequestScope,
    entry: Omit<NewAuditEntry, 'at'>,
    { next, response }: { next: CallHandler; response: Response },
  ): Promise<unknown> {
    await this.trail.begin(scope, entry, response.statusCode);
    let answer: unknown;
    try {
      answer = await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      const status = statusOf(error);
      await this.trail.end(scope, { outcome: outcomeOf(status), status }, null);
      throw error;
    }
    const status = response.statusCode;
    const made = entry.target === null ? idMade(answer) : null;
    await this.trail.end(scope, { outcome: outcomeOf(status), status }, made);
    return answer;
  }

  /** @returns null for handlers that wear `@NotAudited` */
  private operationOf(controller: Type, handler: Handler): Operation | null {
    const ofController = this.known.get(controller) ?? new Map<Handler, Operation | null>();
    this.known.set(controller, ofController);
    let operation = ofController.get(handler);
    if (operation === undefined) {
      operation = Reflect.hasMetadata(NOT_AUDITED, handler) ? null : describe(controller, handler);
      ofController.set(handler, operation);
    }
    return operation;
  }
}

function describe(controller: Type, { name }: Handler): Operation {
  const { body } = inputModels(controller, name);
  const names = body ? declaredFields(body).map((field) => field.name) : [];
  return { action: operationName(controller.name, name), fields: new Set(names) };
}

function entryOf(
  { action, fields }: Operation,
  request: AuthedRequest,
  { address, requestId }: RequestScope,
): Omit<NewAuditEntry, 'at'> {
  const body: unknown = request.body;
  const sent = typeof body === 'object' && body !== null && fields.size > 0 ? Object.keys(body) : [];
  return {
    ...actorOf(request.principal),
    oid: request.orgAccess?.oid ?? oidOf(request),
    action,
    ...targetOf(request.params),
    fields: sent.filter((name) => fields.has(name)).slice(0, MOST_FIELDS),
    address,
    requestId,
  };
}

/** The id of what a request made, as its answer tells it. */
function idMade(answer: unknown): string | null {
  const id = typeof answer === 'object' && answer !== null ? (answer as { id?: unknown }).id : null;
  return typeof id === 'string' ? idIn(id) : null;
}

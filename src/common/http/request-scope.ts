import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';
import type { AuthedRequest } from '../access/access.js';
import { newId } from '../ids/uuid.js';
import { clientOf } from './request-address.js';

export const REQUEST_ID = 'X-Request-Id';
/** What an id of somebody else's may look like: it goes into logs and back to the client. */
const FOREIGN_ID = /^[\w.-]{8,64}$/;

/** A request that is being answered, as whatever is called within it finds it. */
export class RequestScope {
  constructor(
    readonly requestId: string,
    readonly request: AuthedRequest,
  ) {}

  /** Who sends it: `clientOf`. */
  get address(): string {
    return clientOf(this.request);
  }
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** The request within which this runs; undefined for what the service does by itself. */
export const currentRequest = (): RequestScope | undefined => scopes.getStore();

/** Runs what a request sets off but does not wait for, and what serves others as well: it belongs to no request. */
export const outsideRequests = <T>(work: () => T): T => scopes.exit(work);

/** Opens the scope of a request. A proxy in front may have given it an id already, which stays. */
export function openScope(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && FOREIGN_ID.test(given) ? given : newId();
  response.setHeader(REQUEST_ID, requestId);
  scopes.run(new RequestScope(requestId, request), next);
}

import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

const PROTOCOL = /^https?$/i;
/** A host name or address with an optional port: nothing that could end the host part of a URL. */
const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/** External base URL of a request, no trailing slash: null unless both headers are there. Contract: accounts §13.3. */
export function originOf({ headers }: Pick<Request, 'headers'>): string | null {
  const forwarded = headers['x-forwarded-proto'];
  const protocol = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim() ?? '';
  const host = headers.host ?? '';
  return PROTOCOL.test(protocol) && HOST.test(host) ? `${protocol.toLowerCase()}://${host}` : null;
}

/** Injects `originOf` the request: a string, or null. */
export const RequestOrigin = createParamDecorator((_: unknown, context: ExecutionContext) =>
  originOf(context.switchToHttp().getRequest<Request>()),
);

/** Injects the client's IP address, behind the configured number of trusted proxies. */
export const ClientAddress = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Request>().ip ?? '',
);

/** What a request tells of the address it was sent to. */
export interface RequestAddress {
  /** `originOf` the request. */
  readonly forwarded: string | null;
  /** Scheme and host of the connection itself; null for a host that could not stand in a URL. */
  readonly own: string | null;
}

export function addressOf(request: Request): RequestAddress {
  const host = request.headers.host ?? '';
  return { forwarded: originOf(request), own: HOST.test(host) ? `${request.protocol}://${host}` : null };
}

/** Injects the `RequestAddress`, for `publicOrigin`. */
export const AddressOfRequest = createParamDecorator((_: unknown, context: ExecutionContext): RequestAddress =>
  addressOf(context.switchToHttp().getRequest<Request>()),
);

/** Base of absolute URLs to this service in an answer, no trailing slash. Contract: archive §0 `origin(req)`. */
export const publicOrigin = ({ forwarded, own }: RequestAddress, appOrigin: string): string =>
  forwarded ?? (appOrigin || (own ?? ''));

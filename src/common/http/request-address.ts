import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

const PROTOCOL = /^https?$/i;
/** A host name or address with an optional port. Nothing in it could end the host part of a URL. */
const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/** The address that a request was sent to. Base URLs have no trailing slash. */
export interface RequestAddress {
  /** As the forwarding headers, which anybody can send, state it; null unless both exist. Contract: accounts §13.3. */
  readonly forwarded: string | null;
  /** Scheme and host of the connection itself; null for a host that is not valid in a URL. */
  readonly own: string | null;
}

export function addressOf(request: Pick<Request, 'headers' | 'protocol'>): RequestAddress {
  const host = request.headers.host ?? '';
  return { forwarded: forwardedOf(request), own: HOST.test(host) ? `${request.protocol}://${host}` : null };
}

function forwardedOf({ headers }: Pick<Request, 'headers'>): string | null {
  const forwarded = headers['x-forwarded-proto'];
  const protocol = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',')[0]?.trim() ?? '';
  const host = headers.host ?? '';
  return PROTOCOL.test(protocol) && HOST.test(host) ? `${protocol.toLowerCase()}://${host}` : null;
}

/** Injects the `RequestAddress`, from which `Links` makes an origin. */
export const AddressOfRequest = createParamDecorator((_: unknown, context: ExecutionContext): RequestAddress =>
  addressOf(context.switchToHttp().getRequest<Request>()),
);

/**
 * Identifies one client, behind the configured number of trusted proxies. It is an IPv4 address, or the /64 network of
 * an IPv6 address, since one client usually has the whole network.
 */
export function clientOf({ ip = '' }: Request): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : address.toString();
}

/** Injects the `clientOf` the request. */
export const ClientAddress = createParamDecorator((_: unknown, context: ExecutionContext) =>
  clientOf(context.switchToHttp().getRequest<Request>()),
);

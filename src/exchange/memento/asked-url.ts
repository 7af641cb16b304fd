import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseUrl } from '../../common/text/parse-url.js';
import { InvalidUrl } from '../exchange.errors.js';

/** Longest address that is looked up. */
const MAX_URL = 8_000;
const BEFORE = /\/collections\/[^/?]+\/(?:timegate|timemap\/(?:link|json)|memento\/[^/?]+)\//;

/**
 * The address behind the route, with its own query: as it is, or encoded as one segment. It is read from the request
 * line, because the router decodes paths and parses the query.
 */
export function askedUrl(requestUrl: string): string | null {
  const match = BEFORE.exec(requestUrl);
  const rest = match ? requestUrl.slice(match.index + match[0].length) : '';
  if (rest === '' || rest.length > MAX_URL) return null;
  // Proxies and clients fold the two slashes into one.
  const plain = decoded(rest).replace(/^(https?):\/(?!\/)/i, '$1://');
  const url = parseUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(plain) ? plain : `http://${plain}`);
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.href : null;
}

function decoded(text: string): string {
  if (!/^https?%3a/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Injects the address that the request asks about. @throws InvalidUrl */
export const AskedUrl = createParamDecorator((_: unknown, context: ExecutionContext): string => {
  const url = askedUrl(context.switchToHttp().getRequest<Request>().originalUrl);
  if (url === null) throw new InvalidUrl();
  return url;
});

import type { NextFunction, Request, Response } from 'express';

/** Unreserved characters and the dollar of `collections/$all`. Literal segments of routes contain no others. */
const NEEDLESSLY_ENCODED = /%(?:2[4DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi;

/** Decodes `/api/a/%24all` to `/api/a/$all`. The query and characters such as `%2F` stay encoded. */
export function plainPath(url: string): string {
  const end = url.indexOf('?');
  const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  return path.replace(NEEDLESSLY_ENCODED, (encoded) => decodeURIComponent(encoded)) + query;
}

/** The router compares paths as sent, but clients may encode more characters than they have to. */
export function withPlainPath(request: Request, _response: Response, next: NextFunction): void {
  // Addresses behind `/data/` are signed as written.
  const url = plainPath(request.url);
  if (url.startsWith('/api/')) request.url = url;
  next();
}

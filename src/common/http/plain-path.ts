import type { NextFunction, Request, Response } from 'express';

/** Unreserved characters, and the dollar of `collections/$all`: all that literal segments of routes are made of. */
const NEEDLESSLY_ENCODED = /%(?:2[4DE]|3\d|[46][1-9A-F]|[57][\dA]|5F|7E)/gi;

/** `/api/a/%24all` as `/api/a/$all`; what has a meaning only when encoded, such as `%2F`, stays, and so does the query. */
export function plainPath(url: string): string {
  const end = url.indexOf('?');
  const [path, query] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  return path.replace(NEEDLESSLY_ENCODED, (encoded) => decodeURIComponent(encoded)) + query;
}

/** The router compares paths as they were sent; clients may encode more of them than they have to. */
export function withPlainPath(request: Request, _response: Response, next: NextFunction): void {
  // Behind `/data/` are signed addresses, which count as written.
  const url = plainPath(request.url);
  if (url.startsWith('/api/')) request.url = url;
  next();
}

import type { NextFunction, Request, Response } from 'express';

/**
 * Makes clients ask with the tag of a kept answer whether it still holds; they get 304 while it does. Express makes the
 * tag from the body. A handler whose answer may be kept longer says so itself. Contract: web-client §12.
 */
export function mustRevalidate(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'GET' && request.path.startsWith('/api/')) {
    response.setHeader('Cache-Control', 'private, no-cache');
    // `fetch` adds no-cache, meant for caches on the way, to conditional requests. Express would send it all.
    delete request.headers['cache-control'];
  }
  next();
}

import type { NextFunction, Request, Response } from 'express';

/**
 * Clients poll: they keep an answer, ask with its tag whether it still holds, and get 304 while it does (Express makes
 * the tag of what is sent). A handler whose answer may be kept longer says so itself. Contract: web-client §12.
 */
export function mustRevalidate(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'GET' && request.path.startsWith('/api/')) {
    response.setHeader('Cache-Control', 'private, no-cache');
    // `fetch` adds no-cache to every conditional request, which is for caches on the way; Express would send it all.
    delete request.headers['cache-control'];
  }
  next();
}

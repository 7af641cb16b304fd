import type { NextFunction, Request, Response } from 'express';
import { addressOf } from './request-address.js';

/** A year, as browsers ask for before they believe it of a host. */
const STAY_SECURE = 'max-age=31536000';

/**
 * What browsers are told with every answer: it is of the type that it says, and whoever came over TLS comes that way
 * again. Behind a proxy that ends TLS, which tells so by `X-Forwarded-Proto`.
 */
export function asDeclared(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (addressOf(request).forwarded?.startsWith('https:')) response.setHeader('Strict-Transport-Security', STAY_SECURE);
  next();
}

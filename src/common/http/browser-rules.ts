import type { NextFunction, Request, Response } from 'express';
import { addressOf } from './request-address.js';

/** A year, which browsers ask for before they believe it of a host. */
const STAY_SECURE = 'max-age=31536000';

/**
 * Sets headers for browsers on every answer: they must not guess its type, and must return by TLS if they came by TLS.
 * A proxy that ends TLS tells so by `X-Forwarded-Proto`.
 */
export function asDeclared(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (addressOf(request).forwarded?.startsWith('https:')) response.setHeader('Strict-Transport-Security', STAY_SECURE);
  next();
}

import { Logger } from '@nestjs/common';
import type { RequestHandler } from 'express';

/**
 * Warns once when no proxy is configured but one seems to be there. All users behind it then count as one client for
 * the limits of failed log-ins and of open requests.
 */
export function uncountedProxy(): RequestHandler {
  const logger = new Logger('http');
  let isSaid = false;
  return (request, _response, next) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true;
      logger.warn({
        event: 'proxy_not_counted',
        setting: 'TRUSTED_PROXY_HOPS',
        message: 'Requests come through a proxy that is not counted: limits per client take all its users for one',
      });
    }
    next();
  };
}

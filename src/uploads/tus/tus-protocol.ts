import { MethodNotAllowedException } from '@nestjs/common';
import type { Request, Response } from 'express';

const VERSION = '1.0.0';
const BODY_TYPE = 'application/offset+octet-stream';
const OVERRIDABLE = ['PATCH', 'DELETE'];

/**
 * Answers two cases as the protocol asks, which the library answers otherwise: another version is 412 with the
 * supported versions, another content type is 415.
 * @returns false when the request was refused and answered
 */
export function speaksProtocol(request: Request, response: Response): boolean {
  if (request.method === 'OPTIONS') return true;
  if (request.headers['tus-resumable'] !== VERSION) {
    response.status(412).set('Tus-Version', VERSION).type('text').send(`Tus-Resumable must be ${VERSION}\n`);
    return false;
  }
  if (request.method === 'PATCH' && request.headers['content-type'] !== BODY_TYPE) {
    response.status(415).type('text').send(`Content-Type must be ${BODY_TYPE}\n`);
    return false;
  }
  return true;
}

/**
 * Changes a POST to the method in `X-HTTP-Method-Override`, for clients whose network blocks other methods.
 * @throws MethodNotAllowedException for a method that uploads do not have
 */
export function overrideMethod(request: Request): void {
  const meant = request.get('X-HTTP-Method-Override')?.toUpperCase() ?? '';
  if (!OVERRIDABLE.includes(meant)) throw new MethodNotAllowedException();
  request.method = meant;
}

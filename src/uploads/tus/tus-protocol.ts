import { MethodNotAllowedException } from '@nestjs/common';
import type { Request, Response } from 'express';

const VERSION = '1.0.0';
const BODY_TYPE = 'application/offset+octet-stream';
const OVERRIDABLE = ['PATCH', 'DELETE'];

/**
 * What the protocol asks of a server and its library answers otherwise: another version is 412 with the versions that
 * are spoken, bytes of another type are 415.
 * @returns false when the request is refused and answered
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
 * Makes a POST what its `X-HTTP-Method-Override` says, for clients whose network lets no other method through.
 * @throws MethodNotAllowedException when that is nothing that uploads know
 */
export function overrideMethod(request: Request): void {
  const meant = request.get('X-HTTP-Method-Override')?.toUpperCase() ?? '';
  if (!OVERRIDABLE.includes(meant)) throw new MethodNotAllowedException();
  request.method = meant;
}

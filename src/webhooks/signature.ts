import { createHmac, randomBytes } from 'node:crypto';
import type { SigningSecret } from './data/endpoint.schema.js';

const PREFIX = 'whsec_';

/** A new secret in the form of Standard Webhooks 1.0: 32 random bytes in base64 after `whsec_`. */
export const newSigningSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/**
 * Headers of Standard Webhooks 1.0: `<id>.<unix seconds>.<body>` signed with HMAC-SHA256. While a replaced secret is
 * still valid there are two signatures, separated by a space.
 */
export function signatureHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: Omit<SigningSecret, '_id'>,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const content = `${id}.${timestamp}.${body}`;
  const isPreviousValid = secrets.previous && secrets.previousValidUntil && secrets.previousValidUntil > at;
  const keys = isPreviousValid ? [secrets.secret, secrets.previous as string] : [secrets.secret];
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => sign(key, content)).join(' '),
  };
}

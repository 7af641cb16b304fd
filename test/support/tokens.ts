import { createHmac } from 'node:crypto';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token with these claims, signed by hand so that it can be as wrong as a test wants. */
export function aToken(
  claims: Record<string, unknown>,
  { secret, alg = 'HS256' }: { secret: string; alg?: string },
): string {
  const unsigned = `${part({ alg, typ: 'JWT' })}.${part(claims)}`;
  if (alg === 'none') return `${unsigned}.`;
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`;
}

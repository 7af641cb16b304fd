import type { Request } from 'express';

const BEARER = /^bearer +(.+)$/i;

/** The token of `Authorization: Bearer`, else of the query parameter `auth_bearer`. Contract: accounts §1.2. */
export function bearerToken(headers: { authorization?: string }, query: Record<string, unknown>): string | null {
  const fromHeader = BEARER.exec(headers.authorization ?? '')?.[1]?.trim();
  if (fromHeader) return fromHeader;
  const fromQuery = query['auth_bearer'];
  const value: unknown = Array.isArray(fromQuery) ? fromQuery.at(-1) : fromQuery;
  return typeof value === 'string' && value !== '' ? value : null;
}

export const tokenOf = (request: Request): string | null =>
  bearerToken(request.headers, request.query as Record<string, unknown>);

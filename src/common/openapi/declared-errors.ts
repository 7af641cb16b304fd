import { readFileSync } from 'node:fs';
import { ROLE_REFUSED, type Access } from '../access/access.js';
import { STATUS, type ErrorKind } from '../errors/domain-error.js';
import { modelRef } from '../validation/references.js';
import { ErrorResponse } from './refused.dto.js';

interface KnownError {
  readonly kind: ErrorKind;
  readonly detail: string;
  readonly meaning: string;
}

/**
 * Errors by the name of their class, and the errors of each handler, which `scripts/openapi/thrown-errors.mjs` reads from
 * the sources; a test compares them.
 */
const { errors, handlers } = JSON.parse(readFileSync(new URL('thrown-errors.json', import.meta.url), 'utf8')) as {
  errors: Record<string, KnownError>;
  handlers: Record<string, string[]>;
};

const error = (kind: ErrorKind, detail: string, meaning: string): KnownError => ({ kind, detail, meaning });
const UNKNOWN_CALLER = error('unauthenticated', 'invalid_credentials', 'The token is missing, wrong or expired.');
const UNKNOWN_ORG = error('not-found', 'org_not_found', 'There is no such org, or the caller is not a member of it.');
const BODY_TOO_LARGE = error('too-large', 'request_body_too_large', 'The body is longer than this caller may send.');

function* refusals(access: Access): Generator<KnownError> {
  if (access.who === 'public') return;
  yield UNKNOWN_CALLER;
  const role = access.who === 'role' ? access.role : access.who === 'superuser' ? access.after : undefined;
  if (role) yield UNKNOWN_ORG;
  // Every member has at least the viewer's role.
  if (role && role !== 'viewer') yield error('forbidden', ROLE_REFUSED[role], `The caller is no ${role} of the org.`);
  if (access.who === 'superuser') yield error('forbidden', access.detail, 'The caller is no superuser.');
  if (access.who === 'secret')
    yield error('forbidden', access.detail, 'The caller neither is a superuser nor has the shared secret.');
}

const content = { 'application/json': { schema: modelRef(ErrorResponse) } };

export interface Declared {
  /** `Controller.method`. */
  readonly handler: string;
  readonly access?: Access;
  readonly hasBody: boolean;
}

function* errorsOf({ handler, access, hasBody }: Declared): Generator<KnownError> {
  if (access) yield* refusals(access);
  if (hasBody) yield BODY_TOO_LARGE;
  for (const name of handlers[handler] ?? []) {
    const known = errors[name];
    if (known) yield known;
  }
}

const line = ({ detail, meaning }: KnownError): string => `- \`${detail}\`${meaning === '' ? '' : `: ${meaning}`}`;

/** The failures that a handler names, by status: what its guards refuse and what it throws. */
export function errorResponses(declared: Declared): Record<string, object> {
  const lines = new Map<number, Set<string>>();
  for (const known of errorsOf(declared)) {
    const status = STATUS[known.kind];
    lines.set(status, (lines.get(status) ?? new Set<string>()).add(line(known)));
  }
  return Object.fromEntries([...lines].map(([status, of]) => [status, { description: [...of].join('\n'), content }]));
}

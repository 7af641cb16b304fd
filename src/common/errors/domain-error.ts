/** What went wrong, in words. Only this folder knows the status codes. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'request-timeout'
  | 'too-large'
  | 'conflict'
  | 'precondition-failed'
  | 'range-not-satisfiable'
  | 'rate-limited'
  | 'internal'
  | 'bad-gateway'
  | 'not-ready'
  | 'remote-timeout';

export const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'request-timeout': 408,
  conflict: 409,
  'precondition-failed': 412,
  'too-large': 413,
  'range-not-satisfiable': 416,
  'rate-limited': 429,
  internal: 500,
  'bad-gateway': 502,
  'not-ready': 503,
  'remote-timeout': 504,
} satisfies Record<ErrorKind, number>;

/** A failure that the contract names: `detail` is the stable string that clients branch on. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  abstract readonly detail: string;
  /** Response headers that belong to the failure, e.g. `Retry-After` in seconds. */
  readonly headers: Readonly<Record<string, string>> = {};
  /** What the answer has beside `detail`. */
  readonly more: Readonly<Record<string, unknown>> = {};
}

/**
 * Makes the base class of a failure that has only a kind and a detail: `export class WorkflowIsChanging extends
 * failure('conflict', 'workflow_is_changing') {}`.
 */
export function failure<const D extends string>(kind: ErrorKind, detail: D) {
  abstract class Failure extends DomainError {
    readonly kind = kind;
    readonly detail = detail;
  }
  return Failure;
}

/** 400: the request is well formed but cannot be done in the present state. */
export const invalid = <const D extends string>(detail: D) => failure('invalid', detail);

/** 404: the thing does not exist, or the caller may not know of it. */
export const notFound = <const D extends string>(detail: D) => failure('not-found', detail);

/** Credentials are missing, wrong or expired. Contract: accounts §1.2. */
export class InvalidCredentials extends DomainError {
  readonly kind = 'unauthenticated';
  readonly detail = 'invalid_credentials';
  override readonly headers = { 'WWW-Authenticate': 'Bearer' };
}

/** The caller is known but may not do this. The text gives the reason in the contract's words. */
export class Forbidden extends DomainError {
  readonly kind = 'forbidden';
  constructor(readonly detail: string) {
    super(detail);
  }
}

/** The org is unknown, or the caller is not a member of it; callers cannot tell which. */
export class OrgNotFound extends notFound('org_not_found') {}

/** The org wants a second factor of its members, or the service of superusers, and the log-in had none. */
export class SecondFactorDemanded extends failure('forbidden', 'second_factor_demanded') {}

/** The service is still starting. */
export class NotReadyYet extends failure('not-ready', 'not_ready_yet') {}

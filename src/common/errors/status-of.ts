import { HttpException } from '@nestjs/common';
import { InputRefused } from '../validation/issue.js';
import { isDatabaseAway } from './database-away.js';
import { DomainError, STATUS } from './domain-error.js';

/** The status that a failure of a handler is answered with. `ExceptionToDetail` adds the rest of the answer. */
export function statusOf(error: unknown): number {
  if (error instanceof InputRefused) return 422;
  if (error instanceof DomainError) return STATUS[error.kind];
  if (error instanceof HttpException && error.getStatus() < 500) return error.getStatus();
  if (error instanceof URIError) return 404;
  return isDatabaseAway(error) ? 503 : 500;
}

import { HttpException } from '@nestjs/common';
import { PartRefused } from '../validation/contract.pipe.js';
import { InputRefused } from '../validation/issue.js';
import { isDatabaseAway } from './database-away.js';
import { DomainError, STATUS } from './domain-error.js';

/** The status that a failure of a handler is answered with; `ExceptionToDetail` writes the answers. */
export function statusOf(error: unknown): number {
  if (error instanceof InputRefused || error instanceof PartRefused) return 422;
  if (error instanceof DomainError) return STATUS[error.kind];
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof URIError) return 404;
  return isDatabaseAway(error) ? 503 : 500;
}

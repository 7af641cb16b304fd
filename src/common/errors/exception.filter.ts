import { Catch, HttpException, Injectable, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { RouteTable } from '../http/route-table.js';
import { InputRefused } from '../validation/issue.js';
import { isDatabaseAway } from './database-away.js';
import { DomainError } from './domain-error.js';
import { statusOf } from './status-of.js';

interface Answer {
  readonly status: number;
  readonly detail: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A replica set takes about this long to elect another primary. */
const RETRY_AFTER_SECONDS = '5';

/** The one place where failures become responses: `{"detail": …}`. Contract: accounts §1.5. */
@Injectable()
@Catch()
export class ExceptionToDetail implements ExceptionFilter {
  private readonly logger = new Logger('http');

  constructor(private readonly routes: RouteTable) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const { status, detail, headers, more } = this.answerTo(error, request);
    if (response.headersSent) {
      // The status has been sent. Cutting the connection tells the client that the body is incomplete.
      response.destroy(error instanceof Error ? error : undefined);
      return;
    }
    response
      .status(status)
      .set(headers ?? {})
      .json({ detail, ...more });
  }

  private answerTo(error: unknown, request: Request): Answer {
    const status = statusOf(error);
    if (error instanceof InputRefused) return { status, detail: error.issues };
    if (error instanceof DomainError) {
      if (status >= 500) this.logger.error({ event: 'request_failed', path: request.path, err: error });
      return { status, detail: error.detail, headers: error.headers, more: error.more };
    }
    if (error instanceof HttpException && status === 404) return this.unrouted(request);
    if (error instanceof HttpException && status < 500) return { status, detail: error.message };
    if (error instanceof URIError) return { status, detail: 'Not Found' };
    if (isDatabaseAway(error)) {
      this.logger.error({ event: 'database_unavailable', method: request.method, path: request.path, err: error });
      return { status, detail: 'database_unavailable', headers: { 'Retry-After': RETRY_AFTER_SECONDS } };
    }
    this.logger.error({ event: 'unexpected_error', method: request.method, path: request.path, err: error });
    return { status, detail: 'Internal Server Error' };
  }

  /** Known path with another method is 405 with `Allow`; unknown path is 404. */
  private unrouted(request: Request): Answer {
    const allowed = this.routes.methodsOf(request.baseUrl + request.path);
    if (allowed.length === 0) return { status: 404, detail: 'Not Found' };
    return { status: 405, detail: 'Method Not Allowed', headers: { Allow: allowed.join(', ') } };
  }
}

import { Catch, Injectable, type ArgumentsHost } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../common/errors/domain-error.js';
import { ExceptionToDetail } from '../common/errors/exception.filter.js';

const PAGE = 'refusalPage';

/** Names the client's page at which people are told a refusal; the console's unless this is called. */
export const toldAt = (response: Response, page: '/log-in'): void => void (response.locals[PAGE] = page);

/** Leads a browser that is refused to the page for logging in, which says why. Programs get the failure itself. */
@Injectable()
@Catch(DomainError)
export class SignInRefusals extends ExceptionToDetail {
  override catch(error: DomainError, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.accepts(['json', 'html']) !== 'html') return super.catch(error, host);
    const response = http.getResponse<Response>();
    const page = (response.locals[PAGE] as string | undefined) ?? '/login';
    response
      .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
      .redirect(303, `${page}?refused=${encodeURIComponent(error.detail)}`);
  }
}

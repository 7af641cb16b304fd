import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { InputRefused } from './issue.js';
import { readRouteInput } from './route-input.js';

/** Replaces path, query and body by instances of the handler's models, or refuses with every issue at once. */
@Injectable()
export class InputInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const { issues, path, query, body } = readRouteInput(context);
    if (issues.length > 0) throw new InputRefused(issues);
    if (path) request.params = path as Request['params'];
    // Express 5 computes `query` on each access; an own property stands in front of it.
    if (query) Object.defineProperty(request, 'query', { value: query, configurable: true });
    if (body) request.body = body;
    return next.handle();
  }
}

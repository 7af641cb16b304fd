import {
  applyDecorators,
  Header,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type NestInterceptor,
} from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { map, type Observable } from 'rxjs';

@Injectable()
class NullAsJson implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((body: unknown) => (body === null ? 'null' : body)));
  }
}

/** For handlers whose answer may be null: Nest would send an empty body, which is no JSON. */
export const JsonNull = (): MethodDecorator =>
  applyDecorators(UseInterceptors(NullAsJson), Header('Content-Type', 'application/json; charset=utf-8'));

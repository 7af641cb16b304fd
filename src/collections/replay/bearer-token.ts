import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { tokenOf } from '../../common/access/token.js';

/** Injects the token of a route that judges it by itself, or null. */
export const BearerToken = createParamDecorator((_: unknown, context: ExecutionContext) =>
  tokenOf(context.switchToHttp().getRequest<Request>()),
);

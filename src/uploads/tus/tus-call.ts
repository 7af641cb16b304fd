import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthedRequest } from '../../common/access/access.js';
import { addressOf, type RequestAddress } from '../../common/http/request-address.js';
import type { Uploader } from '../uploader.js';

/** A request of the protocol: all its routes need the same of it. */
export interface TusCall {
  readonly by: Uploader;
  readonly request: AuthedRequest;
  readonly address: RequestAddress;
}

/** Injects the `TusCall`, on routes that require a role. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext): TusCall => {
  const request = context.switchToHttp().getRequest<AuthedRequest>();
  const by = { org: request.orgAccess?.org, actor: request.principal } as Uploader;
  return { by, request, address: addressOf(request) };
});

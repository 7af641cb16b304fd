import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthedRequest } from '../../common/access/access.js';
import { addressOf, type RequestAddress } from '../../common/http/request-address.js';
import type { Uploader } from '../uploader.js';

/** The parts of a request that every route of the protocol needs. */
export interface TusCall {
  readonly by: Uploader;
  readonly request: AuthedRequest;
  readonly address: RequestAddress;
}

/** Injects the `TusCall`. The route must require a role. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext): TusCall => {
  const request = context.switchToHttp().getRequest<AuthedRequest>();
  const by = { org: request.orgAccess?.org, actor: request.principal } as Uploader;
  return { by, request, address: addressOf(request) };
});

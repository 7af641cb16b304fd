import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';

/** How a handler's body arrives; JSON unless declared. */
export type BodyKind = 'json' | 'form' | 'raw';
export const BODY_KIND = Symbol('body kind');

/** The body is `application/x-www-form-urlencoded` or multipart without files. */
export const FormBody = () =>
  applyDecorators(SetMetadata(BODY_KIND, 'form' satisfies BodyKind), ApiConsumes('application/x-www-form-urlencoded'));
/** The body is bytes of any type, left on the socket for the handler to stream. */
export const RawBody = () => SetMetadata(BODY_KIND, 'raw' satisfies BodyKind);

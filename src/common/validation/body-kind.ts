import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';

/** How a handler's body arrives; JSON unless declared. */
export type BodyKind = 'json' | 'form' | 'raw';
export const BODY_KIND = Symbol('body kind');

/** The body is `application/x-www-form-urlencoded` or multipart without files. */
export const FormBody = () =>
  applyDecorators(SetMetadata(BODY_KIND, 'form' satisfies BodyKind), ApiConsumes('application/x-www-form-urlencoded'));
/**
 * The body is bytes of any type, left on the socket for the handler to stream.
 * @param documented its media type and what it is; left out where the handler documents its body otherwise
 */
export const RawBody = (documented?: { readonly type: string; readonly what: string; readonly required?: boolean }) =>
  applyDecorators(
    SetMetadata(BODY_KIND, 'raw' satisfies BodyKind),
    ...(documented
      ? [
          ApiConsumes(documented.type),
          ApiBody({
            description: documented.what,
            required: documented.required ?? true,
            schema: { type: 'string', format: 'binary' },
          }),
        ]
      : []),
  );

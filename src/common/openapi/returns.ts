import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtension, ApiProduces, ApiResponse } from '@nestjs/swagger';
import { written, type Kind, type ModelClass } from '../validation/kind.js';

export interface ReturnsOptions {
  /** 200 unless the contract says otherwise (accounts §1.1). */
  readonly status?: 200 | 201 | 202;
  /** The contract declares a 404 beside the success. */
  readonly notFound?: boolean;
  /** Media type as the contract declares it; `application/json` unless given. */
  readonly contentType?: string;
}

/** What answers that are no JSON consist of. */
const MEDIA_TYPES: Record<string, string> = {
  'application/json': 'Success.',
  'application/wacz+zip':
    'A WACZ (1.1.1), or a multi-WACZ that holds several: a ZIP of WARC files, their index and a list of pages.',
  'text/jsonl': 'Text without an end mark; each line is one JSON object.',
  'text/csv': 'Comma-separated values in UTF-8, the names of the columns first.',
  'text/event-stream': 'Server-sent events, as the HTML standard has them.',
  'application/gzip': 'A file compressed by gzip, in which each line is one JSON object.',
  'image/*': 'The image; `Content-Type` says of which kind.',
};

const isModel = (body: ModelClass | Kind<unknown>): body is ModelClass => typeof body === 'function';

/** Declares the body of a successful response, for OpenAPI and for the API tests that check every answer against it. */
export const Returns = (
  body: ModelClass | Kind<unknown>,
  { status = 200, notFound = false, contentType = 'application/json' }: ReturnsOptions = {},
): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiProduces(contentType),
    ApiResponse({
      status,
      description: MEDIA_TYPES[contentType] ?? contentType,
      ...(isModel(body) ? { type: body } : { schema: body.schema() }),
    }),
    ...(notFound ? [ApiResponse({ status: 404, description: 'Not found.' })] : []),
  );

/** A stream of bytes, which the contract declares as a binary string. */
export const binary = (): Kind<string> => written(() => ({ type: 'string', format: 'binary' }));

/** Marks operations for `contractForm`. */
export const LISTED_WITH_SLASH = 'x-listed-with-slash';
/** The contract lists this route with a trailing slash. The service accepts both forms (accounts §1.1). */
export const ListedWithSlash = (): MethodDecorator => ApiExtension(LISTED_WITH_SLASH, true);

/** Documents the parts of a multipart body that the handler streams itself. */
export const MultipartBody = (parts: ModelClass): MethodDecorator =>
  applyDecorators(ApiConsumes('multipart/form-data'), ApiBody({ type: parts }));

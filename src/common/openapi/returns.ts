import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { written, type Kind, type ModelClass } from '../validation/kind.js';

export interface ReturnsOptions {
  /** 200 unless the contract says otherwise (accounts §1.1). */
  readonly status?: 200 | 201 | 202;
  /** The contract declares a 404 beside the success. */
  readonly notFound?: boolean;
  /** Media type as the contract declares it; `application/json` unless given. */
  readonly contentType?: string;
}

export interface DeclaredResponse extends ReturnsOptions {
  readonly body: ModelClass | Kind<unknown>;
}

export const RESPONSE = Symbol('declared response');

/** Declares the body of a successful response: for OpenAPI, and for the API tests that check every answer against it. */
export const Returns = (body: ModelClass | Kind<unknown>, options: ReturnsOptions = {}): MethodDecorator =>
  applyDecorators(
    SetMetadata(RESPONSE, { ...options, body } satisfies DeclaredResponse),
    HttpCode(options.status ?? 200),
  );

/** A stream of bytes; the contract declares it as a binary string. */
export const binary = (): Kind<string> => written(() => ({ type: 'string', format: 'binary' }));

/** Name of the component where it differs from the class name, which cannot hold every character. */
export const COMPONENT_NAME = Symbol('component name');
export const ComponentName =
  (name: string): ClassDecorator =>
  (target) =>
    Reflect.defineMetadata(COMPONENT_NAME, name, target);

/** Name where request and response sides of one model are two components (`X-Input`, `X-Output`). */
export const TWO_SIDED = Symbol('two-sided component');
export const TwoSided = (): ClassDecorator => (target) => Reflect.defineMetadata(TWO_SIDED, true, target);

/** The contract lists this route with a trailing slash; both forms are served (accounts §1.1). */
export const LISTED_WITH_SLASH = Symbol('listed with a trailing slash');
export const ListedWithSlash = (): MethodDecorator => SetMetadata(LISTED_WITH_SLASH, true);

/** Documents the parts of a multipart body that the handler streams itself. */
export const MULTIPART = Symbol('multipart body');
export const MultipartBody = (parts: ModelClass): MethodDecorator => SetMetadata(MULTIPART, parts);

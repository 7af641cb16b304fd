import type { INestApplication } from '@nestjs/common';
import { apiDocument } from '../../src/console/api-document.js';
import type { Components, Schema } from './hostile-values.js';

export interface ApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema?: Schema;
}

export interface ApiOperation {
  readonly method: string;
  /** With `/api` and the names of its parameters in braces. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly secured: boolean;
  readonly parameters: readonly ApiParameter[];
  /** Null for operations without one. */
  readonly body: { readonly type: string; readonly schema: Schema | undefined } | null;
}

interface Documented {
  tags?: string[];
  security?: object[];
  parameters?: ApiParameter[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
}

/** Every operation of the service's own document. */
export function apiOperations(app: INestApplication): ApiOperation[] {
  const paths = apiDocument(app).paths as unknown as Record<string, Record<string, Documented>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags = [], security, parameters = [], requestBody }]) => {
      const [content] = Object.entries(requestBody?.content ?? {});
      const body = content ? { type: content[0], schema: content[1].schema } : null;
      const hasBody = requestBody ? (body ?? { type: 'application/octet-stream', schema: undefined }) : null;
      return {
        method: method.toUpperCase(),
        path,
        tags,
        secured: (security ?? []).length > 0,
        parameters,
        body: hasBody,
      };
    }),
  );
}

/** The schemas that operations refer to. */
export const apiComponents = (app: INestApplication): Components =>
  (apiDocument(app).components?.schemas ?? {}) as Components;

/** The path of an operation with a value, encoded, for each parameter. */
export const filledPath = (path: string, values: (name: string) => string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values(name)));

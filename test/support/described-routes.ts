import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { apiDocument } from '../../src/console/api-document.js';

interface Stack {
  readonly router: { readonly stack: readonly { route?: { path: string; methods: object } }[] };
}

/**
 * The service's document. Writing it takes a second of CPU, so the files of one run of `npm test`, whose sources are
 * the same, share what the first that has these routes wrote.
 */
export function describedRoutes(app: NestExpressApplication): OpenAPIObject {
  const folder = process.env['MUNIMENT_TEST_SHARED'];
  if (!folder) return apiDocument(app);
  const { stack } = (app.getHttpAdapter().getInstance() as unknown as Stack).router;
  const routes = JSON.stringify(stack.map(({ route }) => [route?.path, route?.methods]));
  const file = join(folder, `document-${createHash('sha256').update(routes).digest('hex')}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject;
  const document = apiDocument(app);
  // Another file may write the same at this moment.
  const half = `${file}.${randomUUID()}`;
  writeFileSync(half, JSON.stringify(document));
  renameSync(half, file);
  return document;
}

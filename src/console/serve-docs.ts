import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { own } from '../common/objects/own.js';
import { apiDocument } from './api-document.js';

const require = createRequire(import.meta.url);
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
const REDOC = join(dirname(require.resolve('redoc/package.json')), 'bundles');
const ASSETS: Record<string, string> = {
  'swagger-ui-bundle.js': join(SWAGGER_UI, 'swagger-ui-bundle.js'),
  'swagger-ui.css': join(SWAGGER_UI, 'swagger-ui.css'),
  'redoc.standalone.js': join(REDOC, 'redoc.standalone.js'),
};

const page = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Muniment API</title>` +
  `<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/favicon.ico">${head}</head>` +
  `<body>${body}</body></html>`;

const SWAGGER_PAGE = page(
  '<link rel="stylesheet" href="/docs/api-assets/swagger-ui.css">',
  `<div id="swagger-ui"></div><script src="/docs/api-assets/swagger-ui-bundle.js"></script>` +
    `<script>SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true })</script>`,
);
const REDOC_PAGE = page(
  '<style>body{margin:0}</style>',
  `<redoc spec-url="/api/openapi.json"></redoc><script src="/docs/api-assets/redoc.standalone.js"></script>`,
);

/** Serves the OpenAPI document and its two readers, which are no routes of the API. Contract: accounts §16.1. */
export function serveDocs(app: NestExpressApplication): void {
  const server = app.getHttpAdapter().getInstance();
  const get = (path: string, answer: (request: Request, response: Response) => void) => server.get(path, answer);
  get('/api/openapi.json', (_request, response) => void response.json(apiDocument(app)));
  get('/api/docs', (_request, response) => void response.type('html').send(SWAGGER_PAGE));
  get('/api/redoc', (_request, response) => void response.type('html').send(REDOC_PAGE));
  get('/docs/api-assets/:name', (request, response) => {
    const file = own(ASSETS, String(request.params['name']));
    if (!file) response.status(404).json({ detail: 'Not Found' });
    else response.sendFile(file, { maxAge: '1d' });
  });
}

import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { writeDocument } from '../common/openapi/document.js';
import { DOCUMENTED_EVENTS } from '../webhooks/events/webhook-events.js';

/** The API version that clients see; it is that of the reference whose contract is kept. */
export const API_VERSION = '1.24.2';

const documents = new WeakMap<INestApplication, OpenAPIObject>();

/** The OpenAPI 3.1 document of a running service. It is made once. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const known = documents.get(app);
  if (known) return known;
  const document = writeDocument(app, API_VERSION, DOCUMENTED_EVENTS);
  documents.set(app, document);
  return document;
}

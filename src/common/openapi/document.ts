import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, Reflector } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ACCESS, type Access } from '../access/access.js';
import { BODY_KIND, type BodyKind } from '../validation/body-kind.js';
import { declaredFields } from '../validation/declared-fields.js';
import { inputModels } from '../validation/input-issues.interceptor.js';
import type { JsonSchema, Kind, ModelClass } from '../validation/kind.js';
import { Components } from './components.js';
import { LISTED_WITH_SLASH, MULTIPART, RESPONSE, type DeclaredResponse } from './returns.js';

const TAGS = [
  ...[
    'crawlconfigs',
    'crawls',
    'settings',
    'auth',
    'users',
    'organizations',
    'profiles',
    'uploads',
    'all-crawls',
    'qa',
  ],
  ...['pages', 'collections', 'webhooks', 'jobs', 'invites', 'subscriptions', 'userfiles'],
];
const SECURITY = [{ OA2BearerOrQuery: [] as string[] }];
const VALIDATION_ERROR: JsonSchema = {
  properties: {
    loc: { items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, type: 'array' },
    msg: { type: 'string' },
    type: { type: 'string' },
  },
  type: 'object',
  required: ['loc', 'msg', 'type'],
};
const HTTP_VALIDATION_ERROR: JsonSchema = {
  properties: { detail: { items: { $ref: '#/components/schemas/ValidationError' }, type: 'array' } },
  type: 'object',
};
const refused = () => ({
  description: 'The input does not have the declared shape.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/HTTPValidationError' } } },
});

/** A body that the service posts to receivers; listed under `webhooks` of the document. */
export interface DocumentedBody {
  readonly name: string;
  readonly body: ModelClass;
}

interface Operation {
  readonly operationId?: string;
  readonly tags?: string[];
  readonly summary?: string;
  readonly description?: string;
  [key: string]: unknown;
}

const isModel = (body: DeclaredResponse['body']): body is ModelClass => typeof body === 'function';

/** Completes the document of @nestjs/swagger with what the handlers declare about input, output and access. */
export class DocumentWriter {
  private readonly components = new Components();
  private readonly reflector = new Reflector();
  private readonly controllers = new Map<string, ModelClass>();

  constructor(private readonly app: INestApplication) {
    for (const { metatype } of app.get(DiscoveryService, { strict: false }).getControllers())
      if (metatype) this.controllers.set(metatype.name, metatype as unknown as ModelClass);
  }

  write(version: string, webhooks: readonly DocumentedBody[] = []): OpenAPIObject {
    const config = new DocumentBuilder().setOpenAPIVersion('3.1.0').setTitle('Browsertrix').setVersion(version);
    for (const tag of TAGS) config.addTag(tag);
    const document = SwaggerModule.createDocument(this.app, config.build(), {
      operationIdFactory: (controller, method) => `${controller}#${method}`,
      autoTagControllers: false,
    });
    return {
      ...document,
      paths: this.paths(document.paths as unknown as Record<string, Record<string, Operation>>),
      info: { ...document.info, 'x-logo': { url: '/docs-logo.svg' } },
      ...(webhooks.length > 0 ? { webhooks: Object.fromEntries(webhooks.map((hook) => this.webhook(hook))) } : {}),
      components: {
        schemas: this.sorted({
          ...this.components.schemas,
          HTTPValidationError: HTTP_VALIDATION_ERROR,
          ValidationError: VALIDATION_ERROR,
        }),
        securitySchemes: {
          OA2BearerOrQuery: { type: 'oauth2', flows: { password: { scopes: {}, tokenUrl: '/api/auth/jwt/login' } } },
        },
      },
    } as OpenAPIObject;
  }

  private paths(routed: Record<string, Record<string, Operation>>): Record<string, Record<string, Operation>> {
    const paths: Record<string, Record<string, Operation>> = {};
    for (const [path, operations] of Object.entries(routed))
      for (const [method, operation] of Object.entries(operations)) {
        const handler = this.handlerOf(operation)?.handler;
        const isListedWithSlash = handler && this.reflector.get<boolean | undefined>(LISTED_WITH_SLASH, handler);
        (paths[isListedWithSlash ? `${path}/` : path] ??= {})[method] = this.complete(path, method, operation);
      }
    return paths;
  }

  private handlerOf({ operationId = '' }: Operation) {
    const [controllerName = '', method = ''] = operationId.split('#');
    const controller = this.controllers.get(controllerName);
    if (!controller) return null;
    const handler = (controller.prototype as Record<string, () => unknown>)[method] as () => unknown;
    return { controller, method, handler };
  }

  private sorted(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private webhook({ name, body }: DocumentedBody): [string, unknown] {
    const schema = this.components.model(body, 'output');
    const content = { 'application/json': { schema } };
    const answered = { description: '', content: { 'application/json': { schema: {} } } };
    return [name, { post: { requestBody: { required: true, content }, responses: { 200: answered, 422: refused() } } }];
  }

  private complete(path: string, verb: string, operation: Operation): Operation {
    const found = this.handlerOf(operation);
    if (!found) return operation;
    const { controller, method, handler } = found;
    const access = this.reflector.getAllAndOverride<Access>(ACCESS, [handler, controller]);
    // A preflight request is made by browsers; nobody fills in its parameters.
    const isPreflight = verb === 'options';
    const parameters = isPreflight
      ? []
      : [...this.pathParameters(path, controller, method), ...this.queryParameters(controller, method)];
    const body = this.requestBody(controller, method, handler);
    const responses = this.responses(handler, parameters.length > 0 || body !== undefined);
    return {
      ...(operation.tags?.length ? { tags: operation.tags } : {}),
      ...(operation.summary ? { summary: operation.summary } : {}),
      ...(operation.description ? { description: operation.description } : {}),
      ...(access.who === 'public' ? {} : { security: SECURITY }),
      ...(operation['deprecated'] ? { deprecated: true } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(body ? { requestBody: body } : {}),
      responses,
    };
  }

  private pathParameters(path: string, controller: ModelClass, method: string): object[] {
    const model = inputModels(controller, method).param;
    const declared = new Map(model ? declaredFields(model).map((field) => [field.name, field]) : []);
    return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const field = declared.get(name);
      const fallback = name === 'oid' ? { type: 'string', format: 'uuid' } : { type: 'string' };
      return { name, in: 'path', required: true, schema: field ? this.components.property(field, 'input') : fallback };
    });
  }

  private queryParameters(controller: ModelClass, method: string): object[] {
    const model = inputModels(controller, method).query;
    if (!model) return [];
    return declaredFields(model).map((field) => ({
      name: field.name,
      in: 'query',
      required: field.isRequired,
      ...(field.isDeprecated ? { deprecated: true } : {}),
      schema: this.components.property(field, 'input'),
    }));
  }

  private requestBody(controller: ModelClass, method: string, handler: () => unknown): object | undefined {
    const kind = this.reflector.get<BodyKind | undefined>(BODY_KIND, handler) ?? 'json';
    const parts = this.reflector.get<ModelClass | undefined>(MULTIPART, handler);
    if (parts)
      return { required: true, content: { 'multipart/form-data': { schema: this.components.model(parts, 'input') } } };
    const model = inputModels(controller, method).body;
    if (!model) return undefined;
    const type = kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
    return { required: true, content: { [type]: { schema: this.components.model(model, 'input') } } };
  }

  private responses(handler: () => unknown, hasInput: boolean): Record<string, unknown> {
    const declared = this.reflector.get<DeclaredResponse | undefined>(RESPONSE, handler);
    if (!declared) return { 200: { description: '' } };
    const { body, status = 200, contentType = 'application/json', notFound } = declared;
    const schema = isModel(body)
      ? this.components.model(body, 'output')
      : (body as Kind<unknown>).schema(this.components.refs('output'));
    return {
      [status]: { description: 'Success.', content: { [contentType]: { schema } } },
      ...(notFound ? { 404: { description: 'Not found.' } } : {}),
      ...(hasInput ? { 422: refused() } : {}),
    };
  }
}
